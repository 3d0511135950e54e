// RmsNormPlan: rows scaled by the root of their mean square, and the reverse.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <span>

namespace tandem {

enum class RmsNormPass { scale, reverse };

/// scale, of (x, mean squares, gain): each element of a row becomes
/// (x inverse) gain with inverse = exp(log(mean square + epsilon) (-0.5)).
///
/// reverse, of (x, mean squares, gain, upstream gradient): one flat result that
/// holds, one after the other, what flows to x through its scaling [...,
/// width], what flows to either factor of x x [..., width], and what flows to
/// the gain [width].
class TANDEM_API RmsNormPlan {
 public:
  /// x is [..., width], the mean squares [..., 1], the gain [width], the
  /// upstream gradient as x; else throws ShapeError.
  static RmsNormPlan make(RmsNormPass pass,
                          std::span<const TensorView> operands, double epsilon);

  const char* name() const;
  RmsNormPass pass() const { return pass_; }
  double epsilon() const { return epsilon_; }
  std::span<const Layout> operands() const {
    return {operands_.data(), operand_count_};
  }
  std::size_t width() const { return operands_[2].shape[0]; }
  /// Elements of x.
  std::size_t count() const { return count_; }

  /// x's shape, or [2 count + width].
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

 private:
  RmsNormPlan() = default;

  RmsNormPass pass_ = RmsNormPass::scale;
  double epsilon_ = 0;
  std::array<Layout, 4> operands_;
  std::size_t operand_count_ = 0;
  std::size_t count_ = 0;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
