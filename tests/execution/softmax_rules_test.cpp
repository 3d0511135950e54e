// Softmax, its logarithm and its causal form, forward and reverse, against
// plain loops that show what the fixture cannot.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/bits.h"
#include "support/operand_layouts.h"

namespace tandem {
namespace {

using test::same_bits;
using test::TestValues;
using test::ValueKind;

using Row = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The tail is the sum over all but one entry equal to the maximum.
Row softmax_without(const Row& x, std::size_t excluded) {
  double tail = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i != excluded) tail = tail + std::exp(x[i] - x[excluded]);
  }
  Row result;
  for (const double value : x) {
    result.push_back(std::exp(value - x[excluded]) / (1.0 + tail) + 0.0);
  }
  return result;
}

Row plain_softmax(const Row& x) {
  const auto first = std::max_element(x.begin(), x.end());
  return softmax_without(x, static_cast<std::size_t>(first - x.begin()));
}

// What a sum over all entries in order would give instead.
Row summed_in_order(const Row& x) {
  const double maximum = *std::max_element(x.begin(), x.end());
  double sum = 0.0;
  for (const double value : x) sum = sum + std::exp(value - maximum);
  Row result;
  for (const double value : x)
    result.push_back(std::exp(value - maximum) / sum);
  return result;
}

Row random_row(TestValues& values, std::size_t count) {
  Row row = values.list(count);
  for (double& value : row) value /= 16.0;
  return row;
}

TEST(Softmax, DividesByOnePlusTheTailRatherThanByASumInOrder) {
  TestValues values(ValueKind::rounding, 4);
  int differing = 0;
  for (int i = 0; i < 200; ++i) {
    const Row row = random_row(values, 9);
    EXPECT_TRUE(
        same_bits(softmax(Tensor({9}, row), 0), {9}, plain_softmax(row)));
    differing += plain_softmax(row) != summed_in_order(row) ? 1 : 0;
  }
  EXPECT_GT(differing, 0) << "the values cannot tell the two apart";
}

TEST(Softmax, LeavesOutTheFirstOfEqualMaximaAlone) {
  TestValues values(ValueKind::rounding, 14);
  int differing = 0;
  for (int i = 0; i < 50; ++i) {
    Row row = random_row(values, 8);
    row.front() = row.back() = 9.0;
    const Tensor result = softmax(Tensor({8}, row), 0);
    EXPECT_TRUE(same_bits(result, {8}, plain_softmax(row)));
    differing += softmax_without(row, 7) != plain_softmax(row) ? 1 : 0;
  }
  EXPECT_GT(differing, 0) << "the values cannot tell the order";
}

TEST(Softmax, WorksAlongAnyAxisInAnyLayout) {
  TestValues values(ValueKind::rounding, 5);
  for (const auto layout : test::all_layouts()) {
    const auto operand = test::make_operand(layout, {3, 4, 5}, values);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const TensorView last = operand.view.transpose(axis, 2);
      const Tensor packed(last.shape(), test::values_of(last));
      EXPECT_TRUE(same_bits(softmax(operand.view, axis),
                            softmax(packed, 2).view().transpose(axis, 2)));
      EXPECT_TRUE(same_bits(log_softmax(operand.view, axis),
                            log_softmax(packed, 2).view().transpose(axis, 2)));
    }
  }
}

TEST(Softmax, GivesPositiveZerosAndNanWhereThereIsOne) {
  EXPECT_TRUE(
      same_bits(softmax(Tensor({2}, {0.0, -infinity}), 0), {2}, {1.0, 0.0}));
  EXPECT_TRUE(same_bits(softmax(Tensor({2}, {0.0, -1e4}), 0), {2}, {1.0, 0.0}));
  EXPECT_TRUE(same_bits(softmax(Tensor({2}, {1.0, nan}), 0), {2}, {nan, nan}));
  EXPECT_TRUE(same_bits(softmax(Tensor({2, 0}, {}), 1), {2, 0}, {}));
}

TEST(LogSoftmax, SubtractsTheMaximumThenTheLogarithmOfOnePlusTail) {
  TestValues values(ValueKind::rounding, 6);
  for (int i = 0; i < 50; ++i) {
    const Row row = random_row(values, 7);
    const auto first = std::max_element(row.begin(), row.end());
    double tail = 0.0;
    for (auto at = row.begin(); at != row.end(); ++at) {
      if (at != first) tail = tail + std::exp(*at - *first);
    }
    Row expected;
    for (const double value : row) {
      expected.push_back((value - *first) - std::log1p(tail));
    }
    EXPECT_TRUE(same_bits(log_softmax(Tensor({7}, row), 0), {7}, expected));
  }
}

TEST(CausalSoftmax, IsTheSoftmaxOfEachPrefixAndZeroAfterIt) {
  TestValues values(ValueKind::rounding, 7);
  const Tensor scores({2, 3, 4, 4}, random_row(values, 96));
  const Tensor weights = causal_softmax(scores);
  const auto in = scores.values();
  const auto out = weights.values();
  for (std::size_t row = 0; row < 24; ++row) {
    const std::size_t keys = row % 4 + 1;
    const double* start = in.data() + row * 4;
    Row expected = plain_softmax(Row(start, start + keys));
    expected.resize(4, 0.0);
    const double* result = out.data() + row * 4;
    EXPECT_TRUE(same_bits(Tensor({4}, Row(result, result + 4)), {4}, expected));
  }
}

TEST(CausalSoftmax, NeverReadsALaterKey) {
  const Tensor scores({2, 2}, {1.0, nan, 0.0, 0.0});
  EXPECT_TRUE(same_bits(causal_softmax(scores), {2, 2}, {1.0, 0.0, 0.5, 0.5}));
  const Tensor infinite({2, 2}, {1.0, infinity, 0.0, 0.0});
  EXPECT_TRUE(
      same_bits(causal_softmax(infinite), {2, 2}, {1.0, 0.0, 0.5, 0.5}));
}

Row plain_reverse(const Row& p, const Row& g, bool ascending) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const std::size_t at = ascending ? i : p.size() - 1 - i;
    sum = sum + g[at] * p[at];
  }
  Row result;
  for (std::size_t i = 0; i < p.size(); ++i) {
    result.push_back(p[i] * (g[i] - sum) + 0.0);
  }
  return result;
}

Tensor reverse_of(Softmax function, const Tensor& result, const Tensor& g) {
  return ExecutionContext().run(
      SoftmaxPlan::make(function, {result, g}, result.rank() - 1), {result, g});
}

TEST(SoftmaxReverse, AddsInAscendingOrder) {
  TestValues values(ValueKind::rounding, 8);
  int differing = 0;
  for (int i = 0; i < 200; ++i) {
    const Row p = plain_softmax(random_row(values, 9));
    const Row g = values.list(9);
    EXPECT_TRUE(same_bits(
        reverse_of(Softmax::softmax_reverse, Tensor({9}, p), Tensor({9}, g)),
        {9}, plain_reverse(p, g, true)));
    differing +=
        plain_reverse(p, g, true) != plain_reverse(p, g, false) ? 1 : 0;
  }
  EXPECT_GT(differing, 0) << "the values cannot tell the two apart";
}

TEST(SoftmaxReverse, GivesPositiveZeros) {
  const Tensor p({2}, {1.0, 0.0});
  const Tensor g({2}, {1.0, -5.0});
  EXPECT_TRUE(
      same_bits(reverse_of(Softmax::softmax_reverse, p, g), {2}, {0.0, 0.0}));
}

TEST(CausalSoftmaxReverse, UsesThePrefixAlone) {
  const Tensor p({2, 2}, {1.0, 0.0, 0.25, 0.75});
  const Tensor g({2, 2}, {3.0, 1e300, 1.0, 2.0});
  Row second = plain_reverse({0.25, 0.75}, {1.0, 2.0}, true);
  EXPECT_TRUE(same_bits(reverse_of(Softmax::causal_softmax_reverse, p, g),
                        {2, 2}, {0.0, 0.0, second[0], second[1]}));
}

TEST(LogSoftmaxReverse, SubtractsTheProbabilityTimesTheSum) {
  const Row y{std::log(0.25), std::log(0.75)};
  const Row g{3.0, 5.0};
  EXPECT_TRUE(same_bits(
      reverse_of(Softmax::log_softmax_reverse, Tensor({2}, y), Tensor({2}, g)),
      {2}, {3.0 - std::exp(y[0]) * 8.0, 5.0 - std::exp(y[1]) * 8.0}));
}

}  // namespace
}  // namespace tandem
