// Which kernels this CPU can run.
#pragma once

#include <span>

#include "cpu/kernels/kernel_set.h"

namespace tandem::cpu {

/// The kernel sets that this CPU can run, the widest first; never empty.
/// Every one of them gives the same bits.
std::span<const KernelSet<double>* const> supported_kernels();

/// The first of supported_kernels().
const KernelSet<double>& best_kernels();

}  // namespace tandem::cpu
