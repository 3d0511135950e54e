// SoftmaxPlan: softmax, its logarithm and its causal form over one axis, and
// the reverse of each.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace tandem {

enum class Softmax {
  softmax,
  log_softmax,
  causal_softmax,  ///< over the last axis; query i sees keys 0 to i
  /// Of two operands, the forward result and the upstream gradient:
  softmax_reverse,
  log_softmax_reverse,
  causal_softmax_reverse,
};

/// Works row by row, a row being the elements along the axis.
class TANDEM_API SoftmaxPlan {
 public:
  /// Operands have one shape. Throws ShapeError unless axis < rank and, for the
  /// causal forms, rank >= 2, the last two extents (queries, keys) are equal
  /// and there is at least one token. The causal forms multiply each score by
  /// `scale` first, and what flows back to it last; the others ignore it.
  static SoftmaxPlan make(Softmax function,
                          std::initializer_list<TensorView> operands,
                          std::size_t axis, double scale = 1.0);

  const char* name() const;
  Softmax function() const { return function_; }
  bool is_causal() const;
  std::span<const Layout> operands() const {
    return {operands_.data(), operand_count_};
  }

  /// The operands' shape.
  const Shape& output_shape() const { return operands_[0].shape; }
  std::size_t output_size() const { return output_size_; }
  std::size_t axis() const { return axis_; }
  double scale() const { return scale_; }

 private:
  SoftmaxPlan() = default;

  Softmax function_ = Softmax::softmax;
  std::array<Layout, 2> operands_;
  std::size_t operand_count_ = 0;
  std::size_t output_size_ = 0;
  std::size_t axis_ = 0;
  double scale_ = 1.0;
};

}  // namespace tandem
