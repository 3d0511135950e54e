// MatmulPlan: every check a product needs, made once, before any backend
// sees it.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>

namespace tandem {

/// A product that is known to be valid: output[b] = left[b] x right[b] for each
/// batch b. It holds sizes and strides only, so it can be kept and reused.
class TANDEM_API MatmulPlan {
 public:
  /// A transpose flag swaps the final two axes of its operand. Throws
  /// ShapeError unless, after that, left is [..., m, k] and right is
  /// [..., k, n] with leading axes that broadcast. Vectors are not promoted and
  /// matrix axes never broadcast.
  static MatmulPlan make(const TensorView& left, const TensorView& right,
                         bool transpose_left = false,
                         bool transpose_right = false);

  const char* name() const { return "matmul"; }
  const std::array<Layout, 2>& operands() const { return operands_; }

  /// [batch..., m, n]
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }
  /// m, n and k of BLAS; the batch count is the product of the leading extents.
  std::size_t rows() const { return output_shape_[batch_rank()]; }
  std::size_t columns() const { return output_shape_[batch_rank() + 1]; }
  std::size_t inner_size() const { return inner_size_; }
  std::size_t batch_rank() const { return output_shape_.rank() - 2; }
  std::size_t batch_count() const;

  /// One stride per output axis: from one output cell to the next, how far the
  /// operand's first factor moves. 0 where the operand is repeated.
  const Strides& left_cell_strides() const { return left_cell_strides_; }
  const Strides& right_cell_strides() const { return right_cell_strides_; }
  /// From one factor of a cell to the next.
  std::ptrdiff_t left_inner_stride() const { return left_inner_stride_; }
  std::ptrdiff_t right_inner_stride() const { return right_inner_stride_; }

 private:
  MatmulPlan() = default;  // make() is the only way: a plan is a proof

  std::array<Layout, 2> operands_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
  std::size_t inner_size_ = 0;
  Strides left_cell_strides_;
  Strides right_cell_strides_;
  std::ptrdiff_t left_inner_stride_ = 0;
  std::ptrdiff_t right_inner_stride_ = 0;
};

}  // namespace tandem
