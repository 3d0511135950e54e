// Distances in representable values, across zero and at the edges.
#include <gtest/gtest.h>
#include <tandem/compare/comparison.h>

#include <cmath>
#include <limits>

namespace tandem::compare {
namespace {

using limits = std::numeric_limits<double>;

TEST(UlpDistance, IsZeroBetweenEqualValues) {
  EXPECT_EQ(ulp_distance(1.5, 1.5), 0U);
  EXPECT_EQ(ulp_distance(limits::infinity(), limits::infinity()), 0U);
}

TEST(UlpDistance, IsOneBetweenNeighbours) {
  EXPECT_EQ(ulp_distance(1.0, std::nextafter(1.0, 2.0)), 1U);
  EXPECT_EQ(ulp_distance(1.0, std::nextafter(1.0, 0.0)), 1U);
  EXPECT_EQ(ulp_distance(-1.0, std::nextafter(-1.0, 0.0)), 1U);
}

TEST(UlpDistance, IsTheSameInBothDirections) {
  EXPECT_EQ(ulp_distance(1.0, 2.0), std::uint64_t{1} << 52);
  EXPECT_EQ(ulp_distance(2.0, 1.0), std::uint64_t{1} << 52);
  EXPECT_EQ(ulp_distance(-2.0, -1.0), std::uint64_t{1} << 52);
}

TEST(UlpDistance, TakesBothZerosForOneValue) {
  EXPECT_EQ(ulp_distance(0.0, -0.0), 0U);
  EXPECT_EQ(ulp_distance(-0.0, limits::denorm_min()), 1U);
  EXPECT_EQ(ulp_distance(0.0, -limits::denorm_min()), 1U);
}

TEST(UlpDistance, CountsSubnormalsOneByOneAcrossZero) {
  EXPECT_EQ(ulp_distance(-3 * limits::denorm_min(), 4 * limits::denorm_min()),
            7U);
  EXPECT_EQ(ulp_distance(limits::min(), 0.0), std::uint64_t{1} << 52);
}

TEST(UlpDistance, StepsFromTheLargestValueToInfinity) {
  EXPECT_EQ(ulp_distance(limits::max(), limits::infinity()), 1U);
}

TEST(UlpDistance, SpansTheWholeRangeWithoutOverflow) {
  EXPECT_EQ(ulp_distance(-limits::infinity(), limits::infinity()),
            std::uint64_t{0x7ff0000000000000} * 2);
}

TEST(UlpDistance, IsTheLargestCountWhereEitherIsNan) {
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(ulp_distance(limits::quiet_NaN(), 1.0), largest);
  EXPECT_EQ(ulp_distance(1.0, limits::quiet_NaN()), largest);
  EXPECT_EQ(ulp_distance(limits::quiet_NaN(), limits::quiet_NaN()), largest);
}

}  // namespace
}  // namespace tandem::compare
