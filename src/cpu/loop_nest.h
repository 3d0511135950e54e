// LoopNest: walks several strided operands of one logical shape together, in
// row-major order, with as few and as long inner runs as their strides allow.
#pragma once

#include <tandem/tensor/shape.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "cpu/thread_pool.h"

namespace tandem::cpu {

template <std::size_t N>
class LoopNest {
 public:
  /// One set of strides per operand. The shape has no zero extent.
  LoopNest(const Shape& shape, const std::array<const Strides*, N>& strides) {
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 1) continue;
      count_ *= shape[axis];
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

  /// Calls inner(offsets, count, strides) for each innermost run, in order.
  template <class Inner>
  void run(Inner inner) const {
    run_part(0, axes_[0].extent, inner);
  }

  /// The same on at most `max_threads` threads (0: all cores), in tasks of
  /// about `grain` elements; the runs come in no particular order. What is not
  /// worth a second thread stays on the caller's.
  template <class Inner>
  void run_parallel(std::size_t grain, std::size_t max_threads,
                    const Inner& inner) const {
    const std::size_t outer = axes_[0].extent;
    const std::size_t step = std::max<std::size_t>(1, grain * outer / count_);
    if (step >= outer) {
      run_part(0, outer, inner);
      return;
    }
    parallel_chunks(outer, step, static_cast<unsigned>(max_threads),
                    [&](std::size_t begin, std::size_t end) {
                      run_part(begin, end, inner);
                    });
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

  // The walk over indices [begin, end) of the outermost axis.
  template <class Inner>
  void run_part(std::size_t begin, std::size_t end, Inner& inner) const {
    std::array<std::ptrdiff_t, N> offsets;
    for (std::size_t k = 0; k < N; ++k) {
      offsets[k] = static_cast<std::ptrdiff_t>(begin) * axes_[0].strides[k];
    }
    walk(0, end - begin, offsets, inner);
  }

  // The first `extent` indices of the axis at `depth`, and all below.
  template <class Inner>
  void walk(std::size_t depth, std::size_t extent,
            std::array<std::ptrdiff_t, N> offsets, Inner& inner) const {
    const Axis& axis = axes_[depth];
    if (depth + 1 == axes_.size()) {
      inner(offsets, extent, axis.strides);
      return;
    }
    for (std::size_t i = 0; i < extent; ++i) {
      walk(depth + 1, axes_[depth + 1].extent, offsets, inner);
      for (std::size_t k = 0; k < N; ++k) offsets[k] += axis.strides[k];
    }
  }

  std::size_t count_ = 1;  // elements
  AxisList<Axis> axes_;    // outermost first
};

}  // namespace tandem::cpu
