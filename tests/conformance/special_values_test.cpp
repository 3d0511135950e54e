// NaN, infinities, signed zeros, negative strides and zero sizes in products
// and reductions.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/bits.h"
#include "support/devices.h"
#include "support/test_values.h"

namespace tandem::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t canonical_nan = 0x7ff8000000000000u;

std::uint64_t raw_bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

double nan_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

class SpecialValues : public DeviceTest {};

TEST_P(SpecialValues, StoreEachProductThatIsNanAsTheCanonicalOne) {
  for (const std::uint64_t bits : {0x7ff8000000001234u, 0xfff8000000000000u,
                                   0x7ff0000000000001u, 0xffffffffffffffffu}) {
    const Tensor left({1, 2}, {nan_of(bits), 1.0});
    const Tensor right({2, 1}, {2.0, 3.0});
    EXPECT_EQ(raw_bits(context().matmul(left, right).item()), canonical_nan);
    EXPECT_EQ(raw_bits(context().sum_axis(left, 1).item()), canonical_nan);
    EXPECT_EQ(raw_bits(context().mean_axis(left, 1).item()), canonical_nan);
  }
}

TEST_P(SpecialValues, StoreTheCanonicalNanInLargeResultsToo) {
  constexpr std::size_t rows = 100000;
  for (const std::size_t position : {std::size_t{0}, rows / 2, rows - 1}) {
    std::vector<double> values(rows, 1.0);
    values[position] = nan_of(0xfff8000000001234u);
    const Tensor product =
        context().matmul(Tensor({rows, 1}, values), Tensor::ones({1, 1}));
    EXPECT_EQ(raw_bits(product.at({position, 0})), canonical_nan);
    values[position] = nan_of(canonical_nan);
    EXPECT_TRUE(same_values(product, {rows, 1}, values));
  }
}

TEST_P(SpecialValues, MakeNanOfInfinityTimesZeroAndOfOpposedInfinities) {
  const Tensor left({2, 2}, {infinity, 1.0, infinity, -infinity});
  const Tensor right({2, 1}, {0.0, 1.0});
  const Tensor product = context().matmul(left, right);
  EXPECT_EQ(raw_bits(product.at({0, 0})), canonical_nan);
  const Tensor sums = context().sum_axis(left, 1);
  EXPECT_EQ(sums.at({0}), infinity);
  EXPECT_EQ(raw_bits(sums.at({1})), canonical_nan);
}

TEST_P(SpecialValues, KeepInfinitiesAndOverflowToThem) {
  const Tensor left({2, 2}, {infinity, 1.0, -1e300, 0.0});
  const Tensor right({2, 1}, {1e10, 1.0});
  EXPECT_TRUE(same_values(context().matmul(left, right), {2, 1},
                          {infinity, -infinity}));
}

TEST_P(SpecialValues, StayInTheirRowAndColumn) {
  const Tensor left({2, 1}, {nan_of(canonical_nan), 2.0});
  const Tensor right({1, 2}, {3.0, infinity});
  EXPECT_TRUE(same_values(
      context().matmul(left, right), {2, 2},
      {nan_of(canonical_nan), nan_of(canonical_nan), 6.0, infinity}));
}

TEST_P(SpecialValues, OutsideAViewAreNeverRead) {
  const Tensor base({3, 3}, {infinity, infinity, infinity,  //
                             infinity, 2.0, 3.0,            //
                             infinity, 4.0, 5.0});
  const TensorView inside = base.view().slice(0, 1, 3).slice(1, 1, 3);
  EXPECT_TRUE(same_values(context().matmul(inside, inside), {2, 2},
                          {16.0, 21.0, 28.0, 37.0}));
  EXPECT_TRUE(same_values(context().sum_axis(inside, 0), {2}, {6.0, 8.0}));
}

TEST_P(SpecialValues, GiveZeroWhereNegativeZerosAreAddedFromZero) {
  if (!rounds_as_specified()) GTEST_SKIP() << "the sign of zero may differ";
  const Tensor zeros({2, 2}, {-0.0, -0.0, -0.0, -0.0});
  EXPECT_TRUE(same_bits(context().matmul(zeros, Tensor::ones({2, 1})), {2, 1},
                        {0.0, 0.0}));
  EXPECT_TRUE(same_bits(context().sum_axis(zeros, 1), {2}, {0.0, 0.0}));
  EXPECT_TRUE(same_bits(context().mean_axis(zeros, 1), {2}, {0.0, 0.0}));
}

TEST_P(SpecialValues, KeepSubnormals) {
  const double least = std::numeric_limits<double>::denorm_min();
  const Tensor x({1, 2}, {least, least});
  EXPECT_TRUE(same_values(context().sum_axis(x, 1), {1}, {2 * least}));
  EXPECT_TRUE(same_values(context().matmul(x, Tensor({2, 1}, {3.0, 1.0})),
                          {1, 1}, {4 * least}));
}

TEST_P(SpecialValues, OfReversedViewsAreThoseOfTheirPackedCopies) {
  TestValues values(ValueKind::integer, 3);
  const Tensor base({2, 4, 5}, values.list(40));
  for (int mask = 0; mask < 8; ++mask) {
    TensorView reversed = base;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((mask >> axis & 1) != 0) reversed = reversed.reverse(axis);
    }
    const Tensor packed = Tensor(reversed.shape(), values_of(reversed));
    EXPECT_TRUE(same_bits(
        context().matmul_with_transpose(reversed, reversed, true, false),
        context().matmul_with_transpose(packed, packed, true, false)));
    EXPECT_TRUE(same_bits(context().sum_axis(reversed, 2),
                          context().sum_axis(packed, 2)));
  }
}

TEST_P(SpecialValues, ZeroSizesGiveEmptyResultsOrZerosWithoutNativeWork) {
  const ExecutionStats before = context().stats();
  EXPECT_TRUE(
      same_bits(context().matmul(Tensor::ones({2, 0}), Tensor::ones({0, 3})),
                {2, 3}, std::vector<double>(6, 0.0)));
  EXPECT_TRUE(
      same_bits(context().matmul(Tensor::ones({0, 2}), Tensor::ones({2, 3})),
                {0, 3}, {}));
  EXPECT_TRUE(same_bits(
      context().matmul(Tensor::ones({0, 2, 2}), Tensor::ones({1, 2, 2})),
      {0, 2, 2}, {}));
  EXPECT_TRUE(
      same_bits(context().sum_axis(Tensor::ones({2, 0}), 1), {2}, {0.0, 0.0}));
  EXPECT_TRUE(same_bits(context().mean_axis(Tensor::ones({0, 2}), 1), {0}, {}));
  EXPECT_EQ(context().stats(), before);
}

TEST_P(SpecialValues, AnErrorCountsNoWork) {
  const ExecutionStats before = context().stats();
  EXPECT_THROW(context().matmul(Tensor::ones({2, 3}), Tensor::ones({2, 3})),
               ShapeError);
  EXPECT_THROW(context().sum_axis(Tensor::ones({2}), 1), ShapeError);
  EXPECT_THROW(context().mean_axis(Tensor::ones({2, 0}), 1), ShapeError);
  EXPECT_EQ(context().stats(), before);
}

TANDEM_ON_EVERY_DEVICE(SpecialValues);

}  // namespace
}  // namespace tandem::test
