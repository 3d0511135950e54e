// The CUDA backend: products, sums and means as products of packed arrays.
#include <tandem/tensor/error.h>

#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "cuda/executor.h"
#include "cuda/loader.h"
#include "cuda/plan_operands.h"
#include "execution/cuda_backend.h"
#include "tensor/storage_access.h"

namespace tandem {
namespace cuda {
namespace {

Operand operand(StridedSource source, const TensorView& view) {
  return {std::move(source), StorageAccess::storage(view)->owner()};
}

class CudaBackend final : public Backend {
 public:
  CudaBackend(const Api& api, std::size_t ordinal, std::size_t pool_limit)
      : executor_(api, ordinal, pool_limit) {}

  tandem::Device device() const override {
    return {DeviceKind::cuda, executor_.ordinal()};
  }

  ExecutionStats stats() const override { return executor_.stats(); }

  std::optional<Tensor> run(const Operation& operation,
                            std::span<const TensorView> operands) override {
    if (const auto* plan = std::get_if<MatmulPlan>(&operation))
      return multiply(*plan, operands[0], operands[1]);
    const auto* plan = std::get_if<ReducePlan>(&operation);
    if (plan == nullptr || plan->reduction() == Reduction::max)
      return std::nullopt;
    return reduce(*plan, operands[0]);
  }

  void release_unused_memory() override { executor_.release_unused_memory(); }

 private:
  Tensor multiply(const MatmulPlan& plan, const TensorView& left,
                  const TensorView& right) {
    const Operand operand_left =
        operand(left_source(plan, StorageAccess::origin(left)), left);
    const Operand operand_right =
        operand(right_source(plan, StorageAccess::origin(right)), right);
    return StorageAccess::tensor(
        plan.output_shape(),
        executor_.multiply(product_of(plan), operand_left, operand_right));
  }

  Tensor reduce(const ReducePlan& plan, const TensorView& view) {
    const Operand groups =
        operand(group_source(plan, StorageAccess::origin(view)), view);
    const Operand ones{ones_source(plan.axis_extent()), nullptr};
    return StorageAccess::tensor(
        plan.output_shape(),
        executor_.multiply(product_of(plan), groups, ones));
  }

  Executor executor_;
};

}  // namespace
}  // namespace cuda

std::shared_ptr<Backend> make_cuda_backend(std::size_t ordinal,
                                           const CudaOptions& options) {
  const cuda::Api api = cuda::load({options.library_directories});
  return std::make_shared<cuda::CudaBackend>(api, ordinal,
                                             options.pool_limit_bytes);
}

}  // namespace tandem
