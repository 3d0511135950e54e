// ElementwisePlan: one function of one to three operands, element by element,
// with broadcasting.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace tandem {

enum class Elementwise {
  // of one operand
  negate,
  absolute,
  exp,
  log,
  sqrt,
  sin,
  cos,
  tanh,
  sigmoid,  ///< 1/(1 + exp(-x)) for x >= 0, else exp(x)/(1 + exp(x))
  silu,     ///< x sigmoid(x)
  relu,     ///< x > 0 ? x : 0; NaN stays NaN
  // of two
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,  ///< NaN where either is NaN
  maximum,
  silu_reverse,  ///< (x, g): g (s (1 + x (1 - s))) with s = sigmoid(x)
  relu_reverse,  ///< (x, g): x > 0 ? g : 0
  // of three
  select,  ///< (condition, a, b): condition != 0 ? a : b
};

/// The output has the operands' broadcast shape.
class TANDEM_API ElementwisePlan {
 public:
  /// Throws ShapeError where the shapes do not broadcast or the count of
  /// operands is not the function's.
  static ElementwisePlan make(Elementwise function,
                              std::span<const TensorView> operands);
  static ElementwisePlan make(Elementwise function,
                              std::initializer_list<TensorView> operands) {
    return make(function, std::span(operands.begin(), operands.size()));
  }

  const char* name() const;
  Elementwise function() const { return function_; }
  std::span<const Layout> operands() const {
    return {operands_.data(), operand_count_};
  }

  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }
  /// One stride per output axis for operand i; 0 where it is repeated.
  const Strides& strides(std::size_t i) const { return strides_[i]; }

 private:
  ElementwisePlan() = default;

  Elementwise function_ = Elementwise::add;
  std::array<Layout, 3> operands_;
  std::size_t operand_count_ = 0;
  std::array<Strides, 3> strides_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
