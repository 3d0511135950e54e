// Products in binary32 and in the 16-bit formats against the plain loop, bit
// for bit, on every kernel.
#include <gtest/gtest.h>
#include <tandem/tensor/float16.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "cpu/mixed_product.h"
#include "cpu/product_problem.h"

namespace tandem::cpu {
namespace {

double through_float16(double value) {
  return Float16::from_double(value).to_double();
}

double through_bfloat16(double value) {
  return Bfloat16::from_double(value).to_double();
}

// Binary32 itself in a 16-bit format's place shows every bit of the sums.
double through_float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

float at(const RandomOperand& operand, std::ptrdiff_t batch, std::size_t row,
         std::size_t column, RoundTo16Bits round) {
  return static_cast<float>(round(operand.values[static_cast<std::size_t>(
      operand.first + batch +
      static_cast<std::ptrdiff_t>(row) * operand.row_stride +
      static_cast<std::ptrdiff_t>(column) * operand.column_stride)]));
}

std::ptrdiff_t batch_offset(const ProductProblem& problem,
                            const RandomOperand& operand, std::size_t matrix) {
  std::ptrdiff_t offset = 0;
  for (std::size_t axis = problem.batch_shape.size(); axis-- > 0;) {
    offset += static_cast<std::ptrdiff_t>(matrix % problem.batch_shape[axis]) *
              operand.batch_strides[axis];
    matrix /= problem.batch_shape[axis];
  }
  return offset;
}

std::vector<double> plain_mixed_product(const ProductProblem& problem,
                                        RoundTo16Bits round) {
  std::vector<double> output;
  for (std::size_t matrix = 0; matrix < problem.matrices(); ++matrix) {
    const auto left = batch_offset(problem, problem.left, matrix);
    const auto right = batch_offset(problem, problem.right, matrix);
    for (std::size_t i = 0; i < problem.m; ++i) {
      for (std::size_t j = 0; j < problem.n; ++j) {
        float sum = 0.0f;
        for (std::size_t p = 0; p < problem.k; ++p) {
          sum += at(problem.left, left, i, p, round) *
                 at(problem.right, right, p, j, round);
        }
        output.push_back(round(static_cast<double>(sum)));
      }
    }
  }
  return output;
}

void expect_equals_plain(const ProductProblem& problem, RoundTo16Bits round,
                         unsigned threads) {
  const std::vector<double> expected = plain_mixed_product(problem, round);
  for (const KernelSet<float>* kernels : supported_kernels<float>()) {
    std::vector<double> output(expected.size(), 7.0);
    multiply_mixed(problem.product(output.data()), round, threads, *kernels);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(output[i]),
                stored_bits(expected[i]))
          << kernels->name << ", cell " << i << ", " << problem.describe();
    }
  }
}

TEST(MixedKernels, EqualThePlainLoopForEveryWidthAndHeightOfTile) {
  RandomValues random(1);
  for (std::size_t m : {1u, 2u, 3u, 5u, 6u, 7u, 12u, 13u, 25u}) {
    for (std::size_t n = 1; n <= 150; ++n) {
      expect_equals_plain(dense_problem(random, m, n, 7), through_float, 1);
    }
  }
}

TEST(MixedKernels, EqualThePlainLoopOnRandomProblems) {
  RandomValues random(2);
  static constexpr RoundTo16Bits formats[] = {through_float, through_float16,
                                              through_bfloat16};
  for (int trial = 0; trial < 300; ++trial) {
    const ProductProblem problem = random_problem(random, 30'000);
    const auto threads = static_cast<unsigned>(random.below(8) + 1);
    expect_equals_plain(problem, formats[trial % 3], threads);
  }
}

TEST(MixedKernels, EqualThePlainLoopAcrossTheEdgesOfAllBlocks) {
  RandomValues random(3);
  expect_equals_plain(dense_problem(random, 60, 90, 800), through_float, 1);
  expect_equals_plain(dense_problem(random, 3, 900, 100), through_float, 2);
  for (std::size_t extra = 0; extra <= 33; ++extra) {
    expect_equals_plain(dense_problem(random, 48, 512 + extra, 2),
                        through_float, 1);
    expect_equals_plain(dense_problem(random, 49, 512 + extra, 2),
                        through_float, 1);
  }
}

TEST(MixedKernels, StoreTheCanonicalNan) {
  RandomValues random(4);
  ProductProblem problem = dense_problem(random, 2, 40, 20);
  problem.left.values[0] = -std::numeric_limits<double>::quiet_NaN();
  expect_equals_plain(problem, through_bfloat16, 1);
  expect_equals_plain(problem, through_float16, 1);
}

}  // namespace
}  // namespace tandem::cpu
