#include "support/python_slice.h"

#include <algorithm>

namespace tandem::test {

TensorView python_slice(const TensorView& view, std::size_t axis,
                        std::optional<std::int64_t> start,
                        std::optional<std::int64_t> stop, std::int64_t step) {
  const auto extent = static_cast<std::int64_t>(view.shape()[axis]);
  const bool down = step < 0;
  const std::int64_t lowest = down ? -1 : 0;
  const std::int64_t highest = down ? extent - 1 : extent;
  const auto bound = [&](std::optional<std::int64_t> given, bool opens_low) {
    if (!given) return opens_low ? lowest : highest;
    return std::clamp(*given < 0 ? *given + extent : *given, lowest, highest);
  };
  std::int64_t first = bound(start, !down);
  std::int64_t end = bound(stop, down);
  if (extent == 0) return view;
  // Walking down is walking up the reversed view.
  if (down) {
    first = extent - 1 - first;
    end = extent - 1 - end;
  }
  return (down ? view.reverse(axis) : view)
      .slice(axis, static_cast<std::size_t>(first),
             static_cast<std::size_t>(std::max(first, end)),
             static_cast<std::size_t>(down ? -step : step));
}

}  // namespace tandem::test
