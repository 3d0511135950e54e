// The mean negative log-likelihood: its grouping, its behaviour near overflow,
// its checks of values, and its reverse.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "support/bits.h"
#include "support/operand_layouts.h"
#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::same_bits;
using test::TestValues;
using test::thrown_by;
using test::ValueKind;

using Row = std::vector<double>;
using Targets = std::vector<std::size_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Summary {
  double maximum;
  double tail = 0.0;
};

Summary summary_of(const Row& row) {
  const auto first = std::max_element(row.begin(), row.end());
  Summary summary{*first};
  for (auto at = row.begin(); at != row.end(); ++at) {
    if (at != first) summary.tail = summary.tail + std::exp(*at - *first);
  }
  return summary;
}

Tensor reverse_of(const Tensor& logits, std::size_t axis,
                  const Targets& targets, double upstream) {
  const Tensor g = Tensor::scalar(upstream);
  return ExecutionContext().run(
      NllPlan::make(Nll::reverse, {logits, g}, axis,
                    std::make_shared<const Targets>(targets)),
      {logits, g});
}

TEST(IndexedMeanNll, AddsTheGapToTheLogarithmThenAveragesAscending) {
  TestValues values(ValueKind::rounding, 9);
  int differing = 0;
  for (int round = 0; round < 100; ++round) {
    const Row logits = values.list(15);
    const Targets targets{4, 0, 2};
    double total = 0.0;
    double regrouped = 0.0;
    for (std::size_t group = 0; group < 3; ++group) {
      const Row row(
          logits.begin() + static_cast<std::ptrdiff_t>(5 * group),
          logits.begin() + static_cast<std::ptrdiff_t>(5 * group + 5));
      const Summary summary = summary_of(row);
      const double target = row[targets[group]];
      total = total + ((summary.maximum - target) + std::log1p(summary.tail));
      regrouped =
          regrouped + ((summary.maximum + std::log1p(summary.tail)) - target);
    }
    EXPECT_TRUE(
        same_bits(indexed_mean_nll(Tensor({3, 5}, logits), 1, targets).item(),
                  total / 3.0));
    differing += total != regrouped ? 1 : 0;
  }
  EXPECT_GT(differing, 0) << "the values cannot tell the two apart";
}

TEST(IndexedMeanNll, TakesGroupsRowMajorAlongAnyAxisInAnyLayout) {
  TestValues values(ValueKind::rounding, 10);
  const Targets targets{0, 1, 2, 0, 1, 2, 0, 1};
  for (const auto layout : test::all_layouts()) {
    const auto operand = test::make_operand(layout, {2, 3, 4}, values);
    const TensorView last = operand.view.transpose(1, 2);
    const Tensor packed(last.shape(), test::values_of(last));
    EXPECT_TRUE(same_bits(indexed_mean_nll(operand.view, 1, targets),
                          indexed_mean_nll(packed, 2, targets)));
    const Tensor tensor = operand.view.materialize();
    EXPECT_TRUE(
        same_bits(reverse_of(tensor, 1, targets, 0.5),
                  reverse_of(packed, 2, targets, 0.5).view().transpose(1, 2)));
  }
}

TEST(IndexedMeanNll, DividesFirstWhereTheTotalOverflows) {
  const Tensor logits({3, 2}, {1e308, 0, 1e308, 0, 1e308, 0});
  EXPECT_NEAR(indexed_mean_nll(logits, 1, {1, 1, 1}).item() / 1e308, 1.0,
              1e-15);
  // Each gap alone is too large, and its share is not.
  const Tensor wide({4, 2}, {1.5e308, -1.5e308, 0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(indexed_mean_nll(wide, 1, {1, 0, 0, 0}).item() / 0.75e308, 1.0,
              1e-15);
}

TEST(IndexedMeanNll, IsPositiveZeroWhereTheTargetTakesAll) {
  EXPECT_TRUE(same_bits(
      indexed_mean_nll(Tensor({1, 2}, {1e4, -1e4}), 1, {0}).item(), 0.0));
  EXPECT_TRUE(
      same_bits(indexed_mean_nll(Tensor({1, 1}, {-3.0}), 1, {0}).item(), 0.0));
}

TEST(IndexedMeanNll, NamesTheFirstNonfiniteLogitInGroupOrder) {
  // Groups are the columns here, so flat 2 of the operand comes first.
  const Tensor logits({2, 2}, {0.0, -infinity, infinity, 0.0});
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              indexed_mean_nll(logits, 0, {0, 0});
            }),
            "indexed_mean_nll: logit is not finite: element 1 is inf");
  const Tensor nan({1, 2}, {0.0, std::nan("")});
  EXPECT_EQ(thrown_by<NonfiniteError>([&] { indexed_mean_nll(nan, 1, {0}); }),
            "indexed_mean_nll: logit is not finite: element 1 is nan");
}

TEST(IndexedMeanNll, ChecksTargetsBeforeValues) {
  const Tensor nan({1, 2}, {0.0, std::nan("")});
  EXPECT_EQ(thrown_by<ShapeError>([&] { indexed_mean_nll(nan, 1, {2}); }),
            "indexed_mean_nll: target out of range: group 0, target 2, classes "
            "2");
}

TEST(IndexedMeanNllReverse, IsProbabilityLessOneHotTimesTheShare) {
  TestValues values(ValueKind::rounding, 11);
  const Row logits = values.list(14);
  const Targets targets{6, 3};
  Row expected;
  for (std::size_t group = 0; group < 2; ++group) {
    const Row row(logits.begin() + static_cast<std::ptrdiff_t>(7 * group),
                  logits.begin() + static_cast<std::ptrdiff_t>(7 * group + 7));
    const Summary summary = summary_of(row);
    for (std::size_t i = 0; i < 7; ++i) {
      const double p =
          std::exp(row[i] - summary.maximum) / (1.0 + summary.tail);
      const double hit = i == targets[group] ? 1.0 : 0.0;
      expected.push_back((p - hit) * (0.3 / 2.0) + 0.0);
    }
  }
  EXPECT_TRUE(same_bits(reverse_of(Tensor({2, 7}, logits), 1, targets, 0.3),
                        {2, 7}, expected));
}

TEST(IndexedMeanNllReverse, GivesPositiveZeros) {
  EXPECT_TRUE(same_bits(reverse_of(Tensor({1, 2}, {1e4, -1e4}), 1, {0}, -1.0),
                        {1, 2}, {0.0, 0.0}));
}

}  // namespace
}  // namespace tandem
