// The product of two strided matrices on one thread: what a task of a larger
// product does.
#pragma once

#include <cstddef>

#include "cpu/kernels/kernel_set.h"

namespace tandem::cpu {

/// Element (row, column) is data[row * row_stride + column * column_stride];
/// any strides.
template <class Scalar>
struct Matrix {
  const Scalar* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;

  const Scalar* at(std::size_t row, std::size_t column) const {
    return data + static_cast<std::ptrdiff_t>(row) * row_stride +
           static_cast<std::ptrdiff_t>(column) * column_stride;
  }
  Matrix from(std::size_t row, std::size_t column) const {
    return {at(row, column), row_stride, column_stride};
  }
  Matrix transposed() const { return {data, column_stride, row_stride}; }
};

/// output[i * output_row + j], i < m and j < n, is the ascending sum over
/// p < k of left(i, p) * right(p, j), from 0, every step rounded.
template <class Scalar>
struct MatrixProduct {
  std::size_t m;
  std::size_t n;
  std::size_t k;
  Matrix<Scalar> left;
  Matrix<Scalar> right;
  Scalar* output;
  std::ptrdiff_t output_row;
};

/// Computes `product` by `kernels`. The extents are not 0, and n is 1 only
/// where m is. Scalar is double or float.
template <class Scalar>
void multiply_on_one_thread(const MatrixProduct<Scalar>& product,
                            const KernelSet<Scalar>& kernels);

}  // namespace tandem::cpu
