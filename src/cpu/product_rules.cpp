// Products and reductions.
#include <tandem/tensor/float16.h>

#include "cpu/mixed_product.h"
#include "cpu/product.h"
#include "cpu/reduce.h"
#include "cpu/reference.h"
#include "cpu/rules.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

std::span<const std::ptrdiff_t> batch_part(const Strides& cell_strides) {
  return {cell_strides.data(), cell_strides.size() - 2};
}

double round_to_f16(double value) {
  return Float16::from_double(value).to_double();
}

double round_to_bf16(double value) {
  return Bfloat16::from_double(value).to_double();
}

}  // namespace

Tensor apply(const MatmulPlan& plan, Operands operands, const Choice& choice) {
  const Strides& left = plan.left_cell_strides();
  const Strides& right = plan.right_cell_strides();
  const std::size_t row = plan.batch_rank();
  const auto threads = static_cast<unsigned>(choice.threads);
  TensorBuilder builder(plan.output_shape());
  const Product product{
      plan.rows(),
      plan.columns(),
      plan.inner_size(),
      {plan.output_shape().begin(), row},
      {StorageAccess::origin(operands[0]), left[row], plan.left_inner_stride(),
       batch_part(left)},
      {StorageAccess::origin(operands[1]), plan.right_inner_stride(),
       right[row + 1], batch_part(right)},
      builder.values()};
  switch (choice.precision) {
    case MatmulPrecision::F64:
      multiply(product, threads);
      break;
    case MatmulPrecision::F16F32:
      multiply_mixed(product, round_to_f16, threads);
      break;
    case MatmulPrecision::Bf16F32:
      multiply_mixed(product, round_to_bf16, threads);
      break;
  }
  return builder.finish();
}

Tensor apply(const ReducePlan& plan, Operands operands, const Choice& choice) {
  const auto threads = static_cast<unsigned>(choice.threads);
  TensorBuilder builder(plan.output_shape());
  const Shape& groups = plan.group_shape();
  const Reduction reduction{{groups.begin(), groups.rank()},
                            plan.group_strides(),
                            plan.axis_extent(),
                            plan.axis_stride(),
                            StorageAccess::origin(operands[0]),
                            builder.values()};
  switch (plan.reduction()) {
    case tandem::Reduction::sum:
      sum(reduction, threads);
      break;
    case tandem::Reduction::mean:
      mean(reduction, threads);
      break;
    case tandem::Reduction::max:
      reference::reduce(plan, reduction.data, reduction.output);
      break;
  }
  return builder.finish();
}

}  // namespace tandem::cpu
