#include <tandem/ops/reduce_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {
namespace {

const char* name_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return "sum_axis";
    case Reduction::mean:
      return "mean_axis";
    case Reduction::max:
      return "max_axis";
  }
  return "reduce";
}

}  // namespace

ReducePlan ReducePlan::make(Reduction reduction, const TensorView& view,
                            std::size_t axis, bool keep_dim) {
  const char* operation = name_of(reduction);
  check_axis(view.shape(), axis, operation);
  const std::size_t extent = view.shape()[axis];
  const Shape groups = view.shape().without_axis(axis);
  if (extent == 0 && reduction != Reduction::sum) {
    throw ShapeError(std::string(operation) + ": axis is empty: axis is " +
                     std::to_string(axis) + ", shape is " +
                     to_string(view.shape()));
  }
  ReducePlan plan;
  plan.reduction_ = reduction;
  plan.operands_ = {Layout::of(view)};
  plan.group_shape_ = groups;
  plan.group_strides_ = view.strides();
  plan.group_strides_.erase(axis);
  plan.axis_extent_ = extent;
  plan.axis_stride_ = view.strides()[axis];
  plan.output_shape_ = keep_dim ? view.shape().with_extent(axis, 1) : groups;
  row_major_strides(plan.output_shape_, operation);
  plan.output_size_ = element_count(plan.output_shape_, operation);
  return plan;
}

const char* ReducePlan::name() const { return name_of(reduction_); }

}  // namespace tandem
