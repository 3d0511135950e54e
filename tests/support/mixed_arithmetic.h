// The arithmetic of the 16-bit precisions, written without the library's
// formats and without float arithmetic.
#pragma once

#include <tandem/execution/precision.h>
#include <tandem/tensor/view.h>

#include <vector>

namespace tandem::test {

/// `value` rounded to the 16-bit format of `precision`: nearest, ties to even,
/// infinite beyond the largest finite value.
double round_to_format(MatmulPrecision precision, double value);

/// The product that a 16-bit precision gives, row-major: operands rounded to
/// the format, products and ascending sums to binary32, cells to the format.
std::vector<double> mixed_product(MatmulPrecision precision,
                                  const TensorView& left,
                                  const TensorView& right,
                                  bool transpose_left = false,
                                  bool transpose_right = false);

}  // namespace tandem::test
