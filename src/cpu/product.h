// Products of batches of matrices, bit for bit those of the plain loop.
#pragma once

#include <cstddef>
#include <span>

#include "cpu/kernel_choice.h"

namespace tandem::cpu {

/// A batch of matrices wherever they lie; strides count elements, any strides.
template <class Scalar>
struct BatchOperand {
  const Scalar* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
  std::span<const std::ptrdiff_t> batch_strides;  ///< one per batch axis
};

/// output[batch..., m, n], contiguous, of left [m, k] x right [k, n] for every
/// place of the batch. The output shares no memory with the operands.
template <class Scalar>
struct BatchProduct {
  std::size_t m;
  std::size_t n;
  std::size_t k;
  std::span<const std::size_t> batch_shape;
  BatchOperand<Scalar> left;
  BatchOperand<Scalar> right;
  Scalar* output;
};

using ProductOperand = BatchOperand<double>;
using Product = BatchProduct<double>;

/// Every cell starts at 0.0 and adds left * right with k ascending, each
/// product and each sum rounded to nearest; a NaN is stored as the canonical
/// one, 7ff8000000000000. Works on at most `max_threads` threads, 0 for all;
/// neither their number nor the kernels change a bit.
void multiply(const Product& product, unsigned max_threads = 0,
              const KernelSet<double>& kernels = best_kernels());

/// The same in binary32, its products and sums rounded to that.
void multiply(const BatchProduct<float>& product, unsigned max_threads = 0,
              const KernelSet<float>& kernels = best_kernels<float>());

}  // namespace tandem::cpu
