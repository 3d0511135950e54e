// Which kernels this CPU can run, and which of them are used.
#pragma once

#include <span>
#include <string_view>

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

/// The first of supported_kernels(), or the one that limit_kernels() named.
template <class Scalar = double>
const KernelSet<Scalar>& best_kernels();

template <>
const KernelSet<double>& best_kernels();
template <>
const KernelSet<float>& best_kernels();

/// What came of a name that limit_kernels() was given.
enum class KernelLimit { set, not_on_this_cpu, unknown_name };

/// Makes the sets of this name the best ones from now on, or leaves the choice
/// as it is. For tests, which can so see each set behind all that is built on
/// it; nothing in the library calls it.
KernelLimit limit_kernels(std::string_view name);

}  // namespace tandem::cpu
