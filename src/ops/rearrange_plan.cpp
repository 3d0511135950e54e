#include <tandem/ops/rearrange_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {

ConcatPlan ConcatPlan::make(const std::vector<TensorView>& operands,
                            std::size_t axis) {
  if (operands.empty()) throw ShapeError("concat: needs an operand: 0 given");
  const Shape& first = operands[0].shape();
  check_axis(first, axis, "concat");
  ConcatPlan plan;
  plan.axis_ = axis;
  std::size_t extent = 0;
  for (const TensorView& operand : operands) {
    const Shape& shape = operand.shape();
    if (shape.rank() != first.rank() ||
        !(shape.with_extent(axis, 0) == first.with_extent(axis, 0))) {
      throw ShapeError("concat: shapes differ off axis " +
                       std::to_string(axis) + ": first is " + to_string(first) +
                       ", another is " + to_string(shape));
    }
    if (__builtin_add_overflow(extent, shape[axis], &extent)) {
      throw ShapeError("concat: extent overflows: axis is " +
                       std::to_string(axis) + ", first is " + to_string(first));
    }
    plan.operands_.push_back(Layout::of(operand));
  }
  plan.output_shape_ = first.with_extent(axis, extent);
  row_major_strides(plan.output_shape_, "concat");
  plan.output_size_ = element_count(plan.output_shape_, "concat");
  return plan;
}

SumToPlan SumToPlan::make(const TensorView& operand, const Shape& target) {
  if (target.rank() > operand.rank() ||
      !(broadcast_shapes(operand.shape(), target, "sum_to") ==
        operand.shape())) {
    throw ShapeError("sum_to: target does not broadcast: shape is " +
                     to_string(operand.shape()) + ", target is " +
                     to_string(target));
  }
  SumToPlan plan;
  plan.operands_ = {Layout::of(operand)};
  plan.output_shape_ = target;
  plan.output_size_ = element_count(target, "sum_to");
  plan.output_strides_ = broadcast_strides(
      Layout{target, row_major_strides(target, "sum_to")}, operand.shape());
  return plan;
}

}  // namespace tandem
