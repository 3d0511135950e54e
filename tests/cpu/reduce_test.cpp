// Fast sums and means against the plain loop, bit for bit, on every kernel.
#include "cpu/reduce.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "cpu/random_values.h"

namespace tandem::cpu {
namespace {

// An array with one axis to sum, in memory of exactly the size it reaches.
struct Problem {
  std::vector<std::size_t> shape;
  std::vector<std::ptrdiff_t> strides;
  std::size_t extent = 1;
  std::ptrdiff_t stride = 0;
  std::vector<double> values;
  std::ptrdiff_t first = 0;

  std::size_t groups() const {
    std::size_t count = 1;
    for (std::size_t axis : shape) count *= axis;
    return count;
  }
  Reduction reduction(double* output) const {
    return {shape, strides, extent, stride, values.data() + first, output};
  }
};

// `axis` of `shape` is summed; the axes nest in `order`, outermost first.
Problem make_problem(RandomValues& random, std::vector<std::size_t> shape,
                     std::size_t axis, const std::vector<std::size_t>& order,
                     bool awkward) {
  Problem problem;
  std::vector<std::ptrdiff_t> strides(shape.size(), 0);
  std::size_t size = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t at = order[i];
    if (awkward && random.below(8) == 0) continue;
    if (awkward && random.below(6) == 0) size += random.below(5);
    strides[at] = static_cast<std::ptrdiff_t>(size);
    const std::size_t reach = size * (shape[at] - 1);
    if (awkward && random.below(6) == 0) {
      strides[at] = -strides[at];
      problem.first += static_cast<std::ptrdiff_t>(reach);
    }
    size += reach;
  }
  problem.values = random.many(size, awkward ? 50 : 0);
  problem.extent = shape[axis];
  problem.stride = strides[axis];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(axis));
  problem.shape = std::move(shape);
  problem.strides = std::move(strides);
  return problem;
}

std::vector<double> plain_sums(const Problem& problem) {
  std::vector<double> sums;
  for (std::size_t group = 0; group < problem.groups(); ++group) {
    std::ptrdiff_t offset = problem.first;
    std::size_t rest = group;
    for (std::size_t axis = problem.shape.size(); axis-- > 0;) {
      offset += static_cast<std::ptrdiff_t>(rest % problem.shape[axis]) *
                problem.strides[axis];
      rest /= problem.shape[axis];
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < problem.extent; ++i) {
      sum += problem.values[static_cast<std::size_t>(
          offset + static_cast<std::ptrdiff_t>(i) * problem.stride)];
    }
    sums.push_back(sum);
  }
  return sums;
}

void expect_equals_plain(const Problem& problem, unsigned threads) {
  const std::vector<double> sums = plain_sums(problem);
  const auto count = static_cast<double>(problem.extent);
  for (const KernelSet<double>* kernels : supported_kernels()) {
    std::vector<double> summed(sums.size(), 7.0);
    std::vector<double> averaged(sums.size(), 7.0);
    sum(problem.reduction(summed.data()), threads, *kernels);
    mean(problem.reduction(averaged.data()), threads, *kernels);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(summed[i]), stored_bits(sums[i]))
          << kernels->name << ", sum of group " << i;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(averaged[i]),
                stored_bits(sums[i] / count))
          << kernels->name << ", mean of group " << i;
    }
  }
}

TEST(Reduce, EqualsThePlainLoopAcrossColumns) {
  RandomValues random(1);
  for (std::size_t groups = 1; groups <= 70; ++groups) {
    expect_equals_plain(make_problem(random, {37, groups}, 0, {0, 1}, false),
                        1);
  }
}

TEST(Reduce, EqualsThePlainLoopAlongContiguousRows) {
  RandomValues random(2);
  for (std::size_t groups = 1; groups <= 40; ++groups) {
    expect_equals_plain(make_problem(random, {groups, 37}, 1, {0, 1}, false),
                        1);
  }
}

TEST(Reduce, EqualsThePlainLoopOnAMiddleAxis) {
  RandomValues random(3);
  expect_equals_plain(make_problem(random, {5, 40, 19}, 1, {0, 1, 2}, false),
                      1);
}

TEST(Reduce, EqualsThePlainLoopOnRandomShapesAndStrides) {
  RandomValues random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<std::size_t> shape;
    std::vector<std::size_t> order;
    for (std::size_t axes = random.below(4) + 1; axes > 0; --axes) {
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(
                                       random.below(order.size() + 1)),
                   shape.size());
      shape.push_back(random.extent(shape.size() < 2 ? 100 : 8));
    }
    const std::size_t axis = random.below(shape.size());
    const auto threads = static_cast<unsigned>(random.below(8) + 1);
    expect_equals_plain(make_problem(random, shape, axis, order, true),
                        threads);
  }
}

TEST(Reduce, GivesTheSameBitsForAnyNumberOfThreads) {
  RandomValues random(5);
  const Problem columns = make_problem(random, {300, 2000}, 0, {0, 1}, false);
  const Problem rows = make_problem(random, {2000, 300}, 1, {0, 1}, false);
  for (unsigned threads : {0u, 1u, 2u, 3u, 8u}) {
    expect_equals_plain(columns, threads);
    expect_equals_plain(rows, threads);
  }
}

TEST(Reduce, SumsAnEmptyAxisToZero) {
  const double none = 5.0;
  const std::size_t shape[] = {3};
  const std::ptrdiff_t strides[] = {1};
  std::vector<double> output(3, 7.0);
  sum({shape, strides, 0, 3, &none, output.data()});
  EXPECT_EQ(output, std::vector<double>(3, 0.0));
}

TEST(Reduce, TouchesNothingWhenThereIsNoGroup) {
  const double none = 5.0;
  const std::size_t shape[] = {3, 0};
  const std::ptrdiff_t strides[] = {1, 1};
  double output = 7.0;
  sum({shape, strides, 4, 3, &none, &output});
  EXPECT_EQ(output, 7.0);
}

TEST(Reduce, SumsNegativeZerosToPositiveZero) {
  const std::vector<double> values(24, -0.0);
  const std::size_t shape[] = {8};
  for (const std::ptrdiff_t stride : {1, 8}) {
    const std::ptrdiff_t strides[] = {stride == 1 ? 3 : 1};
    std::vector<double> output(8, 7.0);
    sum({shape, strides, 3, stride, values.data(), output.data()});
    for (double value : output) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(value), 0u);
    }
  }
}

}  // namespace
}  // namespace tandem::cpu
