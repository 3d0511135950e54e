#include <tandem/ops/matmul_plan.h>
#include <tandem/tensor/error.h>

#include <string>
#include <utility>

namespace tandem {
namespace {

std::string describe(const TensorView& view, bool transpose) {
  return to_string(view.shape()) + (transpose ? " transposed" : "");
}

TensorView swap_matrix_axes(const TensorView& view, bool transpose) {
  return transpose ? view.transpose(view.rank() - 2, view.rank() - 1) : view;
}

Shape batch_shape(const TensorView& view) {
  return Shape(
      AxisList<std::size_t>(view.shape().begin(), view.shape().end() - 2));
}

// The batch part of a cell stride: missing and singleton axes repeat.
Strides batch_strides(const TensorView& view, const Shape& batch) {
  const Layout matrices{batch_shape(view), Strides(view.strides().begin(),
                                                   view.strides().end() - 2)};
  return broadcast_strides(matrices, batch);
}

}  // namespace

MatmulPlan MatmulPlan::make(const TensorView& left, const TensorView& right,
                            bool transpose_left, bool transpose_right) {
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string("matmul: ") + why + ": left is " +
                     describe(left, transpose_left) + ", right is " +
                     describe(right, transpose_right));
  };
  if (left.rank() < 2) reject("left needs at least two axes");
  if (right.rank() < 2) reject("right needs at least two axes");
  const TensorView a = swap_matrix_axes(left, transpose_left);
  const TensorView b = swap_matrix_axes(right, transpose_right);
  const std::size_t row = a.rank() - 2;
  const std::size_t inner = b.rank() - 2;
  if (a.shape()[row + 1] != b.shape()[inner]) {
    reject("inner extents differ");
  }
  const Shape batch =
      broadcast_shapes(batch_shape(a), batch_shape(b), "matmul");

  MatmulPlan plan;
  plan.operands_ = {Layout::of(left), Layout::of(right)};
  plan.output_shape_ = batch.with_axis(batch.rank(), a.shape()[row])
                           .with_axis(batch.rank() + 1, b.shape()[inner + 1]);
  row_major_strides(plan.output_shape_, "matmul");
  plan.output_size_ = element_count(plan.output_shape_, "matmul");
  plan.inner_size_ = b.shape()[inner];
  plan.left_cell_strides_ = batch_strides(a, batch);
  plan.left_cell_strides_.push_back(a.strides()[row]);
  plan.left_cell_strides_.push_back(0);
  plan.right_cell_strides_ = batch_strides(b, batch);
  plan.right_cell_strides_.push_back(0);
  plan.right_cell_strides_.push_back(b.strides()[inner + 1]);
  plan.left_inner_stride_ = a.strides()[row + 1];
  plan.right_inner_stride_ = b.strides()[inner];
  return plan;
}

std::size_t MatmulPlan::batch_count() const {
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < batch_rank(); ++axis) {
    count *= output_shape_[axis];
  }
  return count;
}

}  // namespace tandem
