// Which kernels this CPU can run.
#pragma once

#include <span>

#include "cpu/kernels/kernel_set.h"

namespace tandem::cpu {

/// The kernel sets that this CPU can run, the widest first; never empty.
/// Every one of them gives the same bits. Scalar is double or float.
template <class Scalar = double>
std::span<const KernelSet<Scalar>* const> supported_kernels();

template <>
std::span<const KernelSet<double>* const> supported_kernels();
template <>
std::span<const KernelSet<float>* const> supported_kernels();

/// The first of supported_kernels().
template <class Scalar = double>
const KernelSet<Scalar>& best_kernels() {
  return *supported_kernels<Scalar>().front();
}

}  // namespace tandem::cpu
