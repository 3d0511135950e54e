// ConcatPlan joins tensors along an axis; SumToPlan undoes a broadcast.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tandem {

/// The operands one after another along `axis`.
class TANDEM_API ConcatPlan {
 public:
  /// Throws ShapeError unless there is an operand, axis < rank, and all other
  /// extents are equal.
  static ConcatPlan make(const std::vector<TensorView>& operands,
                         std::size_t axis);

  const char* name() const { return "concat"; }
  const std::vector<Layout>& operands() const { return operands_; }
  std::size_t axis() const { return axis_; }

  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

 private:
  ConcatPlan() = default;

  std::vector<Layout> operands_;
  std::size_t axis_ = 0;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

/// Adds up what a broadcast repeated: each element of the operand is added, in
/// row-major order and from zeros, to the output cell it was copied from.
class TANDEM_API SumToPlan {
 public:
  /// Throws ShapeError unless `target` broadcasts to the operand's shape.
  static SumToPlan make(const TensorView& operand, const Shape& target);

  const char* name() const { return "sum_to"; }
  const std::array<Layout, 1>& operands() const { return operands_; }
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }
  /// One stride per axis of the operand, into the output; 0 where summed.
  const Strides& output_strides() const { return output_strides_; }

 private:
  SumToPlan() = default;

  std::array<Layout, 1> operands_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
  Strides output_strides_;
};

}  // namespace tandem
