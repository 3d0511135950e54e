// ExecutionContext: the chosen place and manner of execution, as a value that
// is passed to every operation.
#pragma once

#include <tandem/execution/attention_tiles.h>
#include <tandem/execution/cuda_options.h>
#include <tandem/execution/device.h>
#include <tandem/execution/precision.h>
#include <tandem/execution/scope.h>
#include <tandem/execution/stats.h>
#include <tandem/export.h>
#include <tandem/ops/operation.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace tandem {

class Backend;
class OperationCheck;

struct CpuOptions {
  std::size_t threads = 0;  ///< at most so many; 0 takes all cores
};

/// Cheap to copy, safe to share between threads; the CPU by default. On a CUDA
/// context matmul, sum_axis and mean_axis run on the device and nowhere else,
/// a failure is an ExecutionError; every other operation runs on the CPU.
class TANDEM_API ExecutionContext {
 public:
  ExecutionContext();

  static ExecutionContext cpu(const CpuOptions& options = {});
  static ExecutionContext cpu_with_precision(MatmulPrecision precision);

  /// Opens the driver and libraries, and initialises the device at once.
  /// Throws ExecutionError.
  static ExecutionContext cuda(std::size_t ordinal = 0,
                               const CudaOptions& options = {});
  /// Any precision but F64 is refused, stage `precision`, before a driver is
  /// loaded.
  static ExecutionContext cuda_with_precision(std::size_t ordinal,
                                              MatmulPrecision precision,
                                              const CudaOptions& options = {});

  /// Throws ExecutionError, stage `precision`, on a CUDA context unless F64.
  ExecutionContext with_matmul_precision(MatmulPrecision precision) const;
  /// Throws ShapeError unless both tile extents are positive.
  ExecutionContext with_tiled_attention(const AttentionTiles& tiles) const;
  /// Each operation of the device also runs by the CPU rule on the same
  /// operands and is compared; the device's result is passed on.
  ExecutionContext with_check(std::shared_ptr<OperationCheck> check) const;
  /// Names what runs, for reports: `scoped("attention")` extends the path.
  ExecutionContext scoped(std::string_view name) const;
  ExecutionContext at(const Scope& scope, Pass pass) const;

  Device device() const;
  MatmulPrecision matmul_precision() const { return precision_; }
  const std::optional<AttentionTiles>& attention_tiles() const {
    return tiles_;
  }
  const Scope& scope() const { return scope_; }
  /// The work of this context and all its copies.
  ExecutionStats stats() const;
  /// Frees device and pinned memory that is kept for reuse and that nobody
  /// uses; nothing to do on the CPU.
  void release_unused_memory() const;

  /// [..., m, k] x [..., k, n] -> [..., m, n]; see MatmulPlan.
  Tensor matmul(const TensorView& left, const TensorView& right) const;
  Tensor matmul_with_transpose(const TensorView& left, const TensorView& right,
                               bool transpose_left, bool transpose_right) const;
  /// See ReducePlan.
  Tensor sum_axis(const TensorView& view, std::size_t axis,
                  bool keep_dim = false) const;
  Tensor mean_axis(const TensorView& view, std::size_t axis,
                   bool keep_dim = false) const;

  /// Runs any operation on operands of the layouts its plan was made for; else
  /// throws ShapeError.
  Tensor run(const Operation& operation,
             std::span<const TensorView> operands) const;
  Tensor run(const Operation& operation,
             std::initializer_list<TensorView> operands) const;

 private:
  friend struct ContextAccess;  // src/execution/context_access.h
  Tensor dispatch(const Operation& operation,
                  std::span<const TensorView> operands) const;

  std::shared_ptr<Backend> backend_;  // null: the CPU
  std::size_t threads_ = 0;
  MatmulPrecision precision_ = MatmulPrecision::F64;
  std::optional<AttentionTiles> tiles_;
  std::shared_ptr<OperationCheck> check_;
  Scope scope_;
  Pass pass_ = Pass::forward;
};

}  // namespace tandem
