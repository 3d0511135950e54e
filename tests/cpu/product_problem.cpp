#include "cpu/product_problem.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace tandem::cpu {
namespace {

// Lays the axes out in a random nesting, with gaps, reversals and repeats, and
// allocates what they span.
RandomOperand random_operand(RandomValues& random,
                             const std::vector<std::size_t>& extents,
                             std::size_t rarity) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  // Batch axes come first in `extents`; half of the time the matrix is
  // innermost, as it is in most tensors.
  if (random.below(2) == 0) std::iota(order.begin(), order.end(), 0u);
  RandomOperand operand;
  std::vector<std::ptrdiff_t> strides(extents.size());
  std::size_t span = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t axis = order[i];
    if (random.below(10) == 0) continue;  // stride 0: a broadcast axis
    if (random.below(8) == 0) span += random.below(9);
    strides[axis] = static_cast<std::ptrdiff_t>(span);
    const std::size_t reach = span * (extents[axis] - 1);
    if (random.below(8) == 0) {
      strides[axis] = -strides[axis];
      operand.first += static_cast<std::ptrdiff_t>(reach);
    }
    span += reach;
  }
  std::size_t size = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    size +=
        static_cast<std::size_t>(std::abs(strides[axis])) * (extents[axis] - 1);
  }
  operand.values = random.many(size, rarity);
  operand.column_stride = strides.back();
  strides.pop_back();
  operand.row_stride = strides.back();
  strides.pop_back();
  operand.batch_strides = std::move(strides);
  return operand;
}

std::vector<std::size_t> with_matrix(std::vector<std::size_t> batch,
                                     std::size_t rows, std::size_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

std::ptrdiff_t batch_offset(const ProductProblem& problem,
                            const RandomOperand& operand, std::size_t matrix) {
  std::ptrdiff_t offset = operand.first;
  for (std::size_t axis = problem.batch_shape.size(); axis-- > 0;) {
    const std::size_t extent = problem.batch_shape[axis];
    offset += static_cast<std::ptrdiff_t>(matrix % extent) *
              operand.batch_strides[axis];
    matrix /= extent;
  }
  return offset;
}

std::string describe(const RandomOperand& operand) {
  return "strides " + std::to_string(operand.row_stride) + ", " +
         std::to_string(operand.column_stride);
}

}  // namespace

std::size_t ProductProblem::matrices() const {
  return std::accumulate(batch_shape.begin(), batch_shape.end(), std::size_t{1},
                         std::multiplies<>());
}

Product ProductProblem::product(double* output) const {
  return {m, n, k, batch_shape, left.view(), right.view(), output};
}

std::string ProductProblem::describe() const {
  return std::to_string(matrices()) + " x [" + std::to_string(m) + ", " +
         std::to_string(k) + "] x [" + std::to_string(k) + ", " +
         std::to_string(n) + "], left " + cpu::describe(left) + ", right " +
         cpu::describe(right);
}

ProductProblem random_problem(RandomValues& random, std::size_t most_work) {
  ProductProblem problem;
  do {
    problem.m = random.extent(300);
    problem.n = random.extent(1500);
    problem.k = random.extent(1500);
    problem.batch_shape.clear();
    for (std::size_t axes = random.below(3); axes > 0; --axes) {
      problem.batch_shape.push_back(random.extent(6));
    }
  } while (problem.cells() * problem.k > most_work);
  static constexpr std::size_t rarities[] = {0, 0, 0, 100, 1000, 5};
  const std::size_t rarity = rarities[random.below(std::size(rarities))];
  problem.left = random_operand(
      random, with_matrix(problem.batch_shape, problem.m, problem.k), rarity);
  problem.right = random_operand(
      random, with_matrix(problem.batch_shape, problem.k, problem.n), rarity);
  return problem;
}

ProductProblem dense_problem(RandomValues& random, std::size_t m, std::size_t n,
                             std::size_t k, bool transpose_left,
                             bool transpose_right) {
  const auto dense = [&](std::size_t rows, std::size_t columns,
                         bool transposed) {
    RandomOperand operand;
    operand.values = random.many(rows * columns, 0);
    operand.row_stride = transposed ? 1 : static_cast<std::ptrdiff_t>(columns);
    operand.column_stride = transposed ? static_cast<std::ptrdiff_t>(rows) : 1;
    return operand;
  };
  return {
      m, n, k, {}, dense(m, k, transpose_left), dense(k, n, transpose_right)};
}

std::vector<double> plain_product(const ProductProblem& problem) {
  std::vector<double> output;
  output.reserve(problem.cells());
  for (std::size_t matrix = 0; matrix < problem.matrices(); ++matrix) {
    const double* left = problem.left.values.data() +
                         batch_offset(problem, problem.left, matrix);
    const double* right = problem.right.values.data() +
                          batch_offset(problem, problem.right, matrix);
    for (std::size_t i = 0; i < problem.m; ++i) {
      for (std::size_t j = 0; j < problem.n; ++j) {
        double sum = 0.0;
        for (std::size_t p = 0; p < problem.k; ++p) {
          sum +=
              left[static_cast<std::ptrdiff_t>(i) * problem.left.row_stride +
                   static_cast<std::ptrdiff_t>(p) *
                       problem.left.column_stride] *
              right[static_cast<std::ptrdiff_t>(p) * problem.right.row_stride +
                    static_cast<std::ptrdiff_t>(j) *
                        problem.right.column_stride];
        }
        output.push_back(sum);
      }
    }
  }
  return output;
}

std::string difference_from_plain(const ProductProblem& problem,
                                  const std::vector<double>& expected,
                                  unsigned threads,
                                  const KernelSet<double>& kernels) {
  constexpr std::size_t guard = 16;
  constexpr double untouched = 12345.678;
  std::vector<double> output(expected.size() + 2 * guard, untouched);
  multiply(problem.product(output.data() + guard), threads, kernels);
  const std::string where = std::string(kernels.name) + ", " +
                            std::to_string(threads) + " threads, " +
                            problem.describe();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto actual = std::bit_cast<std::uint64_t>(output[guard + i]);
    if (actual != stored_bits(expected[i])) {
      return "cell " + std::to_string(i) + " differs: " + where;
    }
  }
  for (std::size_t i = 0; i < guard; ++i) {
    if (output[i] != untouched || output[output.size() - 1 - i] != untouched) {
      return "wrote outside the output: " + where;
    }
  }
  return "";
}

}  // namespace tandem::cpu
