// SwigluPlan: a gate through silu times a value, and the reverse.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <span>

namespace tandem {

enum class SwigluPass { forward, reverse };

/// forward, of (gate, up): silu(gate) up, element by element.
///
/// reverse, of (gate, up, upstream gradient): one flat result that holds what
/// flows to the gate, then what flows to `up`.
class TANDEM_API SwigluPlan {
 public:
  /// The operands have one shape; else throws ShapeError.
  static SwigluPlan make(SwigluPass pass, std::span<const TensorView> operands);

  const char* name() const;
  SwigluPass pass() const { return pass_; }
  std::span<const Layout> operands() const {
    return {operands_.data(), operand_count_};
  }
  /// Elements of the gate.
  std::size_t count() const { return count_; }

  /// The gate's shape, or [2 count].
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

 private:
  SwigluPlan() = default;

  SwigluPass pass_ = SwigluPass::forward;
  std::array<Layout, 3> operands_;
  std::size_t operand_count_ = 0;
  std::size_t count_ = 0;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
