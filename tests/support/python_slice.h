// Slices as Python counts them, made of the library's slice and reverse.
#pragma once

#include <tandem/tensor/view.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tandem::test {

/// view[..., start:stop:step, ...] along `axis`: negative bounds count from the
/// end, bounds are clamped, a missing one is open; step != 0.
TensorView python_slice(const TensorView& view, std::size_t axis,
                        std::optional<std::int64_t> start,
                        std::optional<std::int64_t> stop, std::int64_t step);

}  // namespace tandem::test
