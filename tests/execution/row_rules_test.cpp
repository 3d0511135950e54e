// Rows picked, scattered, rotated and joined, and broadcast sums.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "support/bits.h"
#include "support/operand_layouts.h"

namespace tandem {
namespace {

using test::all_layouts;
using test::make_operand;
using test::same_bits;
using test::TestValues;
using test::ValueKind;

using Row = std::vector<double>;
using Rows = std::vector<std::size_t>;

std::uint64_t raw_bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

Tensor scatter(const TensorView& rows, const Rows& to, std::size_t count) {
  return ExecutionContext().run(
      ScatterPlan::make(rows, std::make_shared<const Rows>(to), count), {rows});
}

Tensor rotate(const TensorView& x, const Tensor& cosines, const Tensor& sines,
              Rotation rotation, std::size_t first = 0) {
  return ExecutionContext().run(
      RotaryPlan::make(x, cosines, sines, rotation, first),
      {x, cosines, sines});
}

TEST(GatherRows, CopiesRowsOfAnyLayoutBitForBit) {
  TestValues values(ValueKind::rounding, 12);
  for (const auto layout : all_layouts()) {
    const auto table = make_operand(layout, {4, 3}, values);
    Row expected;
    for (const std::size_t row : {3u, 0u, 3u, 2u}) {
      for (std::size_t i = 0; i < 3; ++i) {
        expected.push_back(table.values[row * 3 + i]);
      }
    }
    EXPECT_TRUE(same_bits(gather_rows(table.view, {3, 0, 3, 2}, {2, 2}),
                          {2, 2, 3}, expected));
  }
}

TEST(GatherRows, KeepsTheSignOfZeroAndTakesAScalarIndex) {
  EXPECT_TRUE(same_bits(gather_rows(Tensor({2, 1}, {1.0, -0.0}), {1}, {}), {1},
                        {-0.0}));
  EXPECT_TRUE(
      same_bits(gather_rows(Tensor({2, 0}, {}), {1, 1}, {2}), {2, 0}, {}));
}

TEST(ScatterAddRows, AddsInAscendingOrderFromZeros) {
  // 1 + 2^-53 + 2^-53 rounds to 1 in this order alone.
  const Tensor rows({4, 1}, {1.0, 0x1p-53, 0x1p-53, 7.0});
  EXPECT_TRUE(
      same_bits(scatter(rows, {1, 1, 1, 0}, 3), {3, 1}, {7.0, 1.0, 0.0}));
  const Tensor other({3, 1}, {0x1p-53, 0x1p-53, 1.0});
  EXPECT_TRUE(same_bits(scatter(other, {0, 0, 0}, 1), {1, 1}, {1.0 + 0x1p-52}));
}

TEST(ScatterAddRows, OfNothingIsZeros) {
  EXPECT_TRUE(same_bits(scatter(Tensor({0, 2}, {}), {}, 2), {2, 2},
                        {0.0, 0.0, 0.0, 0.0}));
  EXPECT_TRUE(
      same_bits(scatter(Tensor({1, 1}, {-0.0}), {0}, 1), {1, 1}, {0.0}));
}

TEST(RotaryPairs, TurnAdjacentPairsByThePositionsAngle) {
  TestValues values(ValueKind::rounding, 13);
  const Tensor cosines({5, 2}, values.list(10));
  const Tensor sines({5, 2}, values.list(10));
  for (const auto layout : all_layouts()) {
    const auto x = make_operand(layout, {2, 3, 4}, values);
    Row expected;
    for (std::size_t row = 0; row < 6; ++row) {
      for (std::size_t pair = 0; pair < 2; ++pair) {
        const double l = x.values[row * 4 + 2 * pair];
        const double r = x.values[row * 4 + 2 * pair + 1];
        const double c = cosines.at({row % 3 + 1, pair});
        const double s = sines.at({row % 3 + 1, pair});
        expected.push_back(l * c - r * s);
        expected.push_back(l * s + r * c);
      }
    }
    EXPECT_TRUE(
        same_bits(rotary_pairs(x.view, cosines, sines, 1), {2, 3, 4}, expected))
        << to_string(layout);
  }
}

TEST(RotaryPairs, TurnBackWithTheInverse) {
  const Tensor x({1, 2}, {3.0, 4.0});
  const Tensor cosine({1, 1}, {0.6});
  const Tensor sine({1, 1}, {0.8});
  EXPECT_TRUE(same_bits(rotate(x, cosine, sine, Rotation::inverse), {1, 2},
                        {3.0 * 0.6 + 4.0 * 0.8, 4.0 * 0.6 - 3.0 * 0.8}));
}

TEST(RotaryPairs, GivePositiveZeros) {
  const Tensor x({1, 2}, {-0.0, 0.0});
  const Tensor one({1, 1}, {1.0});
  const Tensor zero({1, 1}, {0.0});
  for (const auto rotation : {Rotation::forward, Rotation::inverse}) {
    EXPECT_TRUE(same_bits(rotate(x, one, zero, rotation), {1, 2}, {0.0, 0.0}));
    EXPECT_TRUE(
        same_bits(rotate(Tensor({1, 2}, {-0.0, -0.0}), one, zero, rotation),
                  {1, 2}, {0.0, 0.0}));
  }
}

TEST(Concat, PutsOperandsOneAfterAnother) {
  const Tensor a({2, 1}, {1, 2});
  const Tensor b({2, 2}, {3, 4, 5, 6});
  EXPECT_TRUE(same_bits(concat({a, Tensor({2, 0}, {}), b}, 1), {2, 3},
                        {1, 3, 4, 2, 5, 6}));
  EXPECT_TRUE(same_bits(concat({b.view().reverse(1), b}, 0), {4, 2},
                        {4, 3, 6, 5, 3, 4, 5, 6}));
  EXPECT_TRUE(same_bits(concat({Tensor({0}, {})}, 0), {0}, {}));
}

TEST(SumTo, AddsInOneRowMajorPassFromZeros) {
  const Tensor x({2, 2}, {1.0, 0x1p-53, 0x1p-53, 1.0});
  EXPECT_TRUE(same_bits(sum_to(x, {}), {}, {2.0}));
  EXPECT_TRUE(same_bits(sum_to(x, {2}), {2}, {1.0, 1.0}));
  EXPECT_TRUE(same_bits(sum_to(x, {2, 1}), {2, 1}, {1.0, 1.0}));
  const Tensor small_first({3}, {0x1p-53, 0x1p-53, 1.0});
  EXPECT_TRUE(same_bits(sum_to(small_first, {}), {}, {1.0 + 0x1p-52}));
}

TEST(SumTo, GivesZerosOfNothingAndOfNegativeZeros) {
  EXPECT_TRUE(same_bits(sum_to(Tensor({0, 2}, {}), {2}), {2}, {0.0, 0.0}));
  EXPECT_TRUE(same_bits(sum_to(Tensor({1}, {-0.0}), {}), {}, {0.0}));
}

TEST(SumTo, StoresNanAsTheCanonicalOne) {
  const Tensor nan({1, 1}, {-std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(raw_bits(sum_to(nan, {}).item()), 0x7ff8000000000000u);
}

}  // namespace
}  // namespace tandem
