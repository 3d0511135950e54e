// Backend: a device behind a context. It has one entry.
#pragma once

#include <tandem/execution/device.h>
#include <tandem/execution/stats.h>
#include <tandem/ops/operation.h>
#include <tandem/tensor/tensor.h>

#include <optional>
#include <span>

namespace tandem {

class Backend {
 public:
  virtual ~Backend() = default;

  virtual Device device() const = 0;
  virtual ExecutionStats stats() const = 0;

  /// Runs a checked operation, or answers nullopt: "not mine", which sends it
  /// to the CPU. Products, sums and means are never declined. A failure throws
  /// ExecutionError. The output is not empty, nor is a product's or sum's inner
  /// extent; operands have the layouts of the plan.
  virtual std::optional<Tensor> run(const Operation& operation,
                                    std::span<const TensorView> operands) = 0;

  /// Frees memory that is kept for reuse and that nobody uses.
  virtual void release_unused_memory() = 0;
};

}  // namespace tandem
