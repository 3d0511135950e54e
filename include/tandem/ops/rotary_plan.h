// RotaryPlan: rotation of adjacent pairs by position-dependent angles (RoPE).
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>

namespace tandem {

enum class Rotation { forward, inverse };

/// Row t of the input stands at position first_position + t; its pair p,
/// elements (2p, 2p + 1), turns by the angle whose cosine and sine stand at
/// [position, p] of the tables: (l, r) becomes (l c - r s, l s + r c). The
/// inverse turns back. Source: Su et al., RoFormer, 2021.
class TANDEM_API RotaryPlan {
 public:
  /// input is [..., tokens, width] with an even width, the tables are
  /// [capacity, width/2] with first_position + tokens <= capacity; else throws
  /// ShapeError.
  static RotaryPlan make(const TensorView& input, const TensorView& cosines,
                         const TensorView& sines, Rotation rotation,
                         std::size_t first_position = 0);

  const char* name() const { return "rotary_pairs"; }
  const std::array<Layout, 3>& operands() const { return operands_; }
  Rotation rotation() const { return rotation_; }
  std::size_t first_position() const { return first_position_; }

  /// The input's shape.
  const Shape& output_shape() const { return operands_[0].shape; }
  std::size_t output_size() const { return output_size_; }

 private:
  RotaryPlan() = default;

  std::array<Layout, 3> operands_;
  Rotation rotation_ = Rotation::forward;
  std::size_t first_position_ = 0;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
