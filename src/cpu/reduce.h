// Sums and means over one axis, bit for bit those of the plain loop.
#pragma once

#include <cstddef>
#include <span>

#include "cpu/kernel_choice.h"

namespace tandem::cpu {

/// One axis of a strided array, summed for each place of the others; strides
/// count elements, any strides.
struct Reduction {
  std::span<const std::size_t> group_shape;
  std::span<const std::ptrdiff_t> group_strides;
  std::size_t extent;     ///< of the axis that is summed
  std::ptrdiff_t stride;  ///< along it
  const double* data;
  double* output;  ///< contiguous, one value per group in row-major order
};

/// Every sum starts at 0.0 and adds the axis in ascending order; a NaN is
/// stored as the canonical one. Works on at most `max_threads` threads, 0 for
/// all; neither their number nor the kernels change a bit.
void sum(const Reduction& reduction, unsigned max_threads = 0,
         const KernelSet<double>& kernels = best_kernels());

/// The sum divided by the extent, which is not 0.
void mean(const Reduction& reduction, unsigned max_threads = 0,
          const KernelSet<double>& kernels = best_kernels());

}  // namespace tandem::cpu
