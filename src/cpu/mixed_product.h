// Products in a 16-bit format with sums in binary32, bit for bit those of the
// plain loop.
#pragma once

#include "cpu/product.h"

namespace tandem::cpu {

/// The value of a 16-bit format that is nearest to `value`; binary32 holds
/// every one of them.
using RoundTo16Bits = double (*)(double value);

/// As multiply(), but each element of the operands is rounded by `round`, the
/// products and sums are those of binary32, and each sum is rounded by `round`
/// at the end.
void multiply_mixed(const Product& product, RoundTo16Bits round,
                    unsigned max_threads = 0,
                    const KernelSet<float>& kernels = best_kernels<float>());

}  // namespace tandem::cpu
