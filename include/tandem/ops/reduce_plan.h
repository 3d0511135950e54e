// ReducePlan: a sum, mean or maximum over one axis, checked.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>

namespace tandem {

enum class Reduction { sum, mean, max };

/// One result for each group, a group being the elements along `axis`.
class TANDEM_API ReducePlan {
 public:
  /// The axis becomes 1 (keep_dim) or goes away. Throws ShapeError unless
  /// axis < rank, and where a mean or maximum would be over an empty axis; a
  /// sum over one is 0.
  static ReducePlan make(Reduction reduction, const TensorView& view,
                         std::size_t axis, bool keep_dim = false);

  const char* name() const;
  Reduction reduction() const { return reduction_; }
  const std::array<Layout, 1>& operands() const { return operands_; }

  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

  /// The view's shape and strides without the axis: one entry per group axis.
  const Shape& group_shape() const { return group_shape_; }
  const Strides& group_strides() const { return group_strides_; }
  /// The extent of the axis, and its stride.
  std::size_t axis_extent() const { return axis_extent_; }
  std::ptrdiff_t axis_stride() const { return axis_stride_; }

 private:
  ReducePlan() = default;

  Reduction reduction_ = Reduction::sum;
  std::array<Layout, 1> operands_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
  Shape group_shape_;
  Strides group_strides_;
  std::size_t axis_extent_ = 0;
  std::ptrdiff_t axis_stride_ = 0;
};

}  // namespace tandem
