// Products and reductions.
#include "cpu/product.h"
#include "cpu/reference.h"
#include "cpu/rules.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

std::span<const std::ptrdiff_t> batch_part(const Strides& cell_strides) {
  return {cell_strides.data(), cell_strides.size() - 2};
}

}  // namespace

Tensor apply(const MatmulPlan& plan, Operands operands, const Choice& choice) {
  const Strides& left = plan.left_cell_strides();
  const Strides& right = plan.right_cell_strides();
  const std::size_t row = plan.batch_rank();
  TensorBuilder builder(plan.output_shape());
  Product product{
      plan.rows(),
      plan.columns(),
      plan.inner_size(),
      {plan.output_shape().begin(), row},
      {StorageAccess::origin(operands[0]), left[row], plan.left_inner_stride(),
       batch_part(left)},
      {StorageAccess::origin(operands[1]), plan.right_inner_stride(),
       right[row + 1], batch_part(right)},
      builder.values()};
  multiply(product, static_cast<unsigned>(choice.threads));
  return builder.finish();
}

Tensor apply(const ReducePlan& plan, Operands operands, const Choice&) {
  TensorBuilder builder(plan.output_shape());
  reference::reduce(plan, StorageAccess::origin(operands[0]), builder.values());
  return builder.finish();
}

}  // namespace tandem::cpu
