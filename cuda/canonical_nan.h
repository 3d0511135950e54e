// A NaN that was computed is stored as the canonical one, on every device.
#pragma once

#include <cstddef>

namespace tandem::cuda {

/// Reads all of it, and writes where there is a NaN.
void store_canonical_nans(double* values, std::size_t count);

}  // namespace tandem::cuda
