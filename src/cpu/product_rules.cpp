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

void multiply_f64(const MatmulPlan& plan, const double* left_data,
                  const double* right_data, double* output,
                  const Choice& choice) {
  const Strides& left = plan.left_cell_strides();
  const Strides& right = plan.right_cell_strides();
  const std::size_t row = plan.batch_rank();
  const Product product{
      plan.rows(),
      plan.columns(),
      plan.inner_size(),
      {plan.output_shape().begin(), row},
      {left_data, left[row], plan.left_inner_stride(), batch_part(left)},
      {right_data, plan.right_inner_stride(), right[row + 1],
       batch_part(right)},
      output};
  multiply(product, static_cast<unsigned>(choice.threads));
}

}  // namespace

Tensor apply(const MatmulPlan& plan, Operands operands, const Choice& choice) {
  TensorBuilder builder(plan.output_shape());
  const double* left = StorageAccess::origin(operands[0]);
  const double* right = StorageAccess::origin(operands[1]);
  if (choice.precision == MatmulPrecision::F64) {
    multiply_f64(plan, left, right, builder.values(), choice);
  } else {
    reference::mixed_matmul(plan, choice.precision, left, right,
                            builder.values());
  }
  return builder.finish();
}

Tensor apply(const ReducePlan& plan, Operands operands, const Choice&) {
  TensorBuilder builder(plan.output_shape());
  reference::reduce(plan, StorageAccess::origin(operands[0]), builder.values());
  return builder.finish();
}

}  // namespace tandem::cpu
