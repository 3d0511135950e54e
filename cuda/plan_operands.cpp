#include "cuda/plan_operands.h"

#include <vector>

namespace tandem::cuda {
namespace {

struct Axes {
  std::vector<std::size_t> extents;
  std::vector<std::ptrdiff_t> strides;

  void add(std::size_t extent, std::ptrdiff_t stride) {
    extents.push_back(extent);
    strides.push_back(stride);
  }
};

Axes batch_axes(const MatmulPlan& plan, const Strides& cell_strides) {
  Axes axes;
  for (std::size_t i = 0; i < plan.batch_rank(); ++i)
    axes.add(plan.output_shape()[i], cell_strides[i]);
  return axes;
}

}  // namespace

Product product_of(const MatmulPlan& plan) {
  return {plan.batch_count(), plan.rows(), plan.columns(), plan.inner_size(),
          1.0};
}

Product product_of(const ReducePlan& plan) {
  Product product;
  product.rows = plan.output_size();
  product.inner = plan.axis_extent();
  if (plan.reduction() == Reduction::mean)
    product.alpha = 1.0 / static_cast<double>(plan.axis_extent());
  return product;
}

StridedSource left_source(const MatmulPlan& plan, const double* origin) {
  Axes axes = batch_axes(plan, plan.left_cell_strides());
  axes.add(plan.rows(), plan.left_cell_strides()[plan.batch_rank()]);
  axes.add(plan.inner_size(), plan.left_inner_stride());
  return StridedSource(origin, axes.extents, axes.strides);
}

StridedSource right_source(const MatmulPlan& plan, const double* origin) {
  Axes axes = batch_axes(plan, plan.right_cell_strides());
  axes.add(plan.inner_size(), plan.right_inner_stride());
  axes.add(plan.columns(), plan.right_cell_strides()[plan.batch_rank() + 1]);
  return StridedSource(origin, axes.extents, axes.strides);
}

StridedSource group_source(const ReducePlan& plan, const double* origin) {
  Axes axes;
  for (std::size_t i = 0; i < plan.group_shape().rank(); ++i)
    axes.add(plan.group_shape()[i], plan.group_strides()[i]);
  axes.add(plan.axis_extent(), plan.axis_stride());
  return StridedSource(origin, axes.extents, axes.strides);
}

StridedSource ones_source(std::size_t count) {
  static constexpr double one = 1.0;
  return StridedSource(&one, {count}, {0});
}

}  // namespace tandem::cuda
