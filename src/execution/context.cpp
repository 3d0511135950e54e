#include <tandem/execution/context.h>
#include <tandem/execution/operation_check.h>
#include <tandem/tensor/error.h>

#include <string>
#include <utility>
#include <variant>

#include "cpu/cpu_backend.h"
#include "execution/backend.h"
#include "execution/cuda_backend.h"

namespace tandem {
namespace {

void require_f64(const std::string& operation, MatmulPrecision precision) {
  if (precision == MatmulPrecision::F64) return;
  throw ExecutionError(ExecutionStage::precision,
                       operation + ": CUDA computes products in F64 only: " +
                           "asked for " + to_string(precision));
}

// True where the rule has nothing to add up, so that the result is zeros.
bool is_empty_sum(const Operation& operation) {
  if (const auto* product = std::get_if<MatmulPlan>(&operation)) {
    return product->inner_size() == 0;
  }
  const auto* reduction = std::get_if<ReducePlan>(&operation);
  return reduction != nullptr && reduction->axis_extent() == 0;
}

template <class Plan>
void check_operands(const Plan& plan, std::span<const TensorView> operands) {
  const auto& layouts = plan.operands();
  bool equal = operands.size() == layouts.size();
  for (std::size_t i = 0; equal && i < operands.size(); ++i) {
    equal = operands[i].shape() == layouts[i].shape &&
            operands[i].strides() == layouts[i].strides;
  }
  if (!equal) {
    throw ShapeError(std::string(plan.name()) +
                     ": operands differ from those the plan was made for: " +
                     std::to_string(operands.size()) + " given");
  }
}

}  // namespace

ExecutionContext::ExecutionContext() = default;

ExecutionContext ExecutionContext::cpu(const CpuOptions& options) {
  ExecutionContext context;
  context.threads_ = options.threads;
  return context;
}

ExecutionContext ExecutionContext::cpu_with_precision(
    MatmulPrecision precision) {
  return cpu().with_matmul_precision(precision);
}

ExecutionContext ExecutionContext::cuda(std::size_t ordinal,
                                        const CudaOptions& options) {
  ExecutionContext context;
  context.backend_ = make_cuda_backend(ordinal, options);
  return context;
}

ExecutionContext ExecutionContext::cuda_with_precision(
    std::size_t ordinal, MatmulPrecision precision,
    const CudaOptions& options) {
  require_f64("cuda", precision);
  return cuda(ordinal, options);
}

ExecutionContext ExecutionContext::with_matmul_precision(
    MatmulPrecision precision) const {
  if (backend_) require_f64("with_matmul_precision", precision);
  ExecutionContext context = *this;
  context.precision_ = precision;
  return context;
}

ExecutionContext ExecutionContext::with_tiled_attention(
    const AttentionTiles& tiles) const {
  if (tiles.query_rows == 0 || tiles.key_rows == 0) {
    throw ShapeError("with_tiled_attention: tiles must be positive: " +
                     std::to_string(tiles.query_rows) + " query rows, " +
                     std::to_string(tiles.key_rows) + " key rows");
  }
  ExecutionContext context = *this;
  context.tiles_ = tiles;
  return context;
}

ExecutionContext ExecutionContext::with_check(
    std::shared_ptr<OperationCheck> check) const {
  ExecutionContext context = *this;
  context.check_ = std::move(check);
  return context;
}

ExecutionContext ExecutionContext::scoped(std::string_view name) const {
  return at(scope_ / name, pass_);
}

ExecutionContext ExecutionContext::at(const Scope& scope, Pass pass) const {
  ExecutionContext context = *this;
  context.scope_ = scope;
  context.pass_ = pass;
  return context;
}

Device ExecutionContext::device() const {
  return backend_ ? backend_->device() : Device{};
}

ExecutionStats ExecutionContext::stats() const {
  return backend_ ? backend_->stats() : ExecutionStats{};
}

void ExecutionContext::release_unused_memory() const {
  if (backend_) backend_->release_unused_memory();
}

Tensor ExecutionContext::matmul(const TensorView& left,
                                const TensorView& right) const {
  return matmul_with_transpose(left, right, false, false);
}

Tensor ExecutionContext::matmul_with_transpose(const TensorView& left,
                                               const TensorView& right,
                                               bool transpose_left,
                                               bool transpose_right) const {
  return run(MatmulPlan::make(left, right, transpose_left, transpose_right),
             {left, right});
}

Tensor ExecutionContext::sum_axis(const TensorView& view, std::size_t axis,
                                  bool keep_dim) const {
  return run(ReducePlan::make(Reduction::sum, view, axis, keep_dim), {view});
}

Tensor ExecutionContext::mean_axis(const TensorView& view, std::size_t axis,
                                   bool keep_dim) const {
  return run(ReducePlan::make(Reduction::mean, view, axis, keep_dim), {view});
}

Tensor ExecutionContext::run(const Operation& operation,
                             std::initializer_list<TensorView> operands) const {
  return run(operation, std::span(operands.begin(), operands.size()));
}

Tensor ExecutionContext::run(const Operation& operation,
                             std::span<const TensorView> operands) const {
  return std::visit(
      [&](const auto& plan) {
        check_operands(plan, operands);
        if (plan.output_size() == 0 || is_empty_sum(operation)) {
          return Tensor::zeros(plan.output_shape());
        }
        return dispatch(operation, operands);
      },
      operation);
}

Tensor ExecutionContext::dispatch(const Operation& operation,
                                  std::span<const TensorView> operands) const {
  const cpu::Choice choice{precision_, threads_};
  if (!backend_) return cpu::run(operation, operands, choice);
  std::optional<Tensor> result = backend_->run(operation, operands);
  if (!result) return cpu::run(operation, operands, choice);
  if (check_) {
    const char* name =
        std::visit([](const auto& plan) { return plan.name(); }, operation);
    check_->compare(name, scope_, pass_, cpu::run(operation, operands, choice),
                    *result);
  }
  return *std::move(result);
}

}  // namespace tandem
