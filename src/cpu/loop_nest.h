// LoopNest: walks several strided operands of one logical shape together, in
// row-major order, with as few and as long inner runs as their strides allow.
#pragma once

#include <tandem/tensor/shape.h>

#include <array>
#include <cstddef>

namespace tandem::cpu {

template <std::size_t N>
class LoopNest {
 public:
  /// One set of strides per operand. The shape has no zero extent.
  LoopNest(const Shape& shape, const std::array<const Strides*, N>& strides) {
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 1) continue;
      Axis added{shape[axis], {}};
      for (std::size_t i = 0; i < N; ++i)
        added.strides[i] = (*strides[i])[axis];
      if (!axes_.empty() && continues(axes_.back(), added)) {
        added.extent *= axes_.back().extent;
        axes_.back() = added;
      } else {
        axes_.push_back(added);
      }
    }
    if (axes_.empty()) axes_.push_back(Axis{1, {}});
  }

  /// Calls inner(offsets, count, strides) for each innermost run.
  template <class Inner>
  void run(Inner inner) const {
    descend(0, std::array<std::ptrdiff_t, N>{}, inner);
  }

 private:
  struct Axis {
    std::size_t extent;
    std::array<std::ptrdiff_t, N> strides;
  };

  // True where walking `inner` to its end arrives at the next step of `outer`.
  static bool continues(const Axis& outer, const Axis& inner) {
    for (std::size_t i = 0; i < N; ++i) {
      if (outer.strides[i] !=
          inner.strides[i] * static_cast<std::ptrdiff_t>(inner.extent)) {
        return false;
      }
    }
    return true;
  }

  template <class Inner>
  void descend(std::size_t depth, std::array<std::ptrdiff_t, N> offsets,
               Inner& inner) const {
    const Axis& axis = axes_[depth];
    if (depth + 1 == axes_.size()) {
      inner(offsets, axis.extent, axis.strides);
      return;
    }
    for (std::size_t i = 0; i < axis.extent; ++i) {
      descend(depth + 1, offsets, inner);
      for (std::size_t k = 0; k < N; ++k) offsets[k] += axis.strides[k];
    }
  }

  AxisList<Axis> axes_;  // outermost first
};

}  // namespace tandem::cpu
