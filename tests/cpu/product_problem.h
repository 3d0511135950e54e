// Random products and the scalar loop that they are judged by.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cpu/product.h"
#include "cpu/random_values.h"

namespace tandem::cpu {

/// One operand in memory of exactly the size that its strides reach.
struct RandomOperand {
  std::vector<double> values;
  std::ptrdiff_t first = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;
  std::vector<std::ptrdiff_t> batch_strides;

  ProductOperand view() const {
    return {values.data() + first, row_stride, column_stride, batch_strides};
  }
};

/// A product with its operands.
struct ProductProblem {
  std::size_t m = 1;
  std::size_t n = 1;
  std::size_t k = 1;
  std::vector<std::size_t> batch_shape;
  RandomOperand left;
  RandomOperand right;

  std::size_t matrices() const;
  std::size_t cells() const { return matrices() * m * n; }
  Product product(double* output) const;
  std::string describe() const;
};

/// Any extents, of at most about `most_work` multiplications; any strides,
/// negative and zero ones too; specials in some problems.
ProductProblem random_problem(RandomValues& random, std::size_t most_work);

/// Both operands dense and row-major, or one transposed where its flag says so.
ProductProblem dense_problem(RandomValues& random, std::size_t m, std::size_t n,
                             std::size_t k, bool transpose_left = false,
                             bool transpose_right = false);

/// The plain loop, written from the specification.
std::vector<double> plain_product(const ProductProblem& problem);

/// Runs the fast product between two guard zones; says what is wrong, or "".
std::string difference_from_plain(const ProductProblem& problem,
                                  const std::vector<double>& expected,
                                  unsigned threads,
                                  const KernelSet<double>& kernels);

}  // namespace tandem::cpu
