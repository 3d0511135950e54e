// The rule that every value of a graph is finite.
#pragma once

#include <tandem/tensor/view.h>

#include <string>

namespace tandem::autograd {

/// Throws NonfiniteError naming `operation` for the first value, in row-major
/// order, that is not finite.
void check_finite(const TensorView& view, const std::string& operation);

}  // namespace tandem::autograd
