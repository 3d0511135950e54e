// The rule that every value of a graph is finite.
#pragma once

#include <tandem/tensor/view.h>

#include <cstddef>
#include <optional>

namespace tandem::autograd {

/// The row-major position of the first value that is infinite or NaN.
std::optional<std::size_t> first_nonfinite(const TensorView& view);

/// Throws NonfiniteError naming `operation` for the first such value.
void check_finite(const TensorView& view, const char* operation);

/// True where some value is -0.
bool has_negative_zero(const TensorView& view);

}  // namespace tandem::autograd
