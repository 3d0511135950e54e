// How differences are counted by size.
#include <gtest/gtest.h>
#include <tandem/compare/distribution.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/thrown_message.h"

namespace tandem::compare {
namespace {

// Absolute differences from 0 are ratios.
const Criterion unit{1.0, 0.0};

std::size_t range_of(double ratio) {
  Distribution distribution;
  distribution.add(0.0, ratio, unit);
  std::size_t range = 0;
  while (distribution.ratio.at(range) == 0) ++range;
  return range;
}

std::size_t digits_of(double a, double b) {
  Distribution distribution;
  distribution.add(a, b);
  std::size_t digits = 0;
  while (distribution.ulps.at(digits) == 0) ++digits;
  return digits;
}

TEST(Distribution, CountsRatiosByDecadesThatEndWithTheirBound) {
  EXPECT_EQ(range_of(0.0), 0U);
  EXPECT_EQ(range_of(1e-300), 1U);
  EXPECT_EQ(range_of(1e-8), 1U);
  EXPECT_EQ(range_of(2e-8), 2U);
  EXPECT_EQ(range_of(1.0), 9U);
  EXPECT_EQ(range_of(std::nextafter(1.0, 2.0)), 10U);
  EXPECT_EQ(range_of(1e8), 17U);
  EXPECT_EQ(range_of(1.1e8), 18U);
}

TEST(Distribution, CountsWhatIsNotFiniteAmongTheLargest) {
  EXPECT_EQ(range_of(std::numeric_limits<double>::infinity()), 18U);
  EXPECT_EQ(range_of(std::numeric_limits<double>::quiet_NaN()), 18U);
}

TEST(Distribution, CountsUlpsByBinaryDigits) {
  EXPECT_EQ(digits_of(1.0, 1.0), 0U);
  EXPECT_EQ(digits_of(1.0, 1.0 + 0x1p-52), 1U);
  EXPECT_EQ(digits_of(1.0, 1.0 + 3 * 0x1p-52), 2U);
  EXPECT_EQ(digits_of(1.0, 1.0 + 4 * 0x1p-52), 3U);
  EXPECT_EQ(digits_of(1.0, std::numeric_limits<double>::quiet_NaN()), 64U);
}

TEST(Distribution, CountsEachElementOnceAndAddsUp) {
  const Tensor expected({3}, {0, 0, 0});
  Distribution sum = distribution(expected, Tensor({3}, {0, 0.5, 2}), unit);
  sum += distribution(expected, Tensor({3}, {0, 0, 5}), unit);
  EXPECT_EQ(sum.ratio[0], 3U);
  EXPECT_EQ(sum.ratio[9], 1U);
  EXPECT_EQ(sum.ratio[10], 2U);
  EXPECT_EQ(std::accumulate(sum.ratio.begin(), sum.ratio.end(), 0U), 6U);
  EXPECT_EQ(std::accumulate(sum.ulps.begin(), sum.ulps.end(), 0U), 6U);
}

TEST(Distribution, RejectsTensorsOfDifferentShapes) {
  EXPECT_EQ(test::thrown_by<ShapeError>([] {
              distribution(Tensor::ones({2}), Tensor::ones({2, 1}));
            }),
            "distribution: shapes differ: [2] and [2, 1]");
}

}  // namespace
}  // namespace tandem::compare
