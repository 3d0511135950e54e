// The rule that every value of a graph is finite.
#pragma once

#include <tandem/tensor/view.h>

#include <cstddef>
#include <optional>

namespace tandem::autograd {

/// The row-major position of the first value that is infinite or NaN, looked
/// for on at most `threads` threads (0: all cores).
std::optional<std::size_t> first_nonfinite(const TensorView& view,
                                           std::size_t threads = 1);

/// Throws NonfiniteError naming `operation` for the first such value.
void check_finite(const TensorView& view, const char* operation,
                  std::size_t threads = 1);

/// True where every value is finite and none is -0: then zeros and the view
/// add up to the view.
bool is_plain(const TensorView& view, std::size_t threads);

/// Adds packed values, sum[i] = a[i] + b[i], or 0 + b[i] where `a` is null;
/// true where every sum is finite.
bool add_packed(const double* a, const double* b, std::size_t count,
                double* sum, std::size_t threads);

}  // namespace tandem::autograd
