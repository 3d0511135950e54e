// The smallest relative tolerance that would pass really is the smallest.
#include <gtest/gtest.h>
#include <tandem/compare/comparison.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace tandem::compare {
namespace {

double needed(const Tensor& expected, const Tensor& actual,
              const Criterion& criterion = {}) {
  return compare({{"x", expected}}, {{"x", actual}}, criterion)
      .tensors.at(0)
      .passing_relative_tolerance;
}

bool passes(const Tensor& expected, const Tensor& actual, double absolute,
            double relative) {
  return compare({{"x", expected}}, {{"x", actual}}, {absolute, relative})
      .passed;
}

double below(double tolerance) { return std::nextafter(tolerance, 0.0); }

TEST(PassingTolerance, IsZeroWhereTheAbsoluteToleranceIsEnough) {
  EXPECT_EQ(needed(Tensor({1}, {1.0}), Tensor({1}, {1.0 + 1e-13})), 0.0);
}

TEST(PassingTolerance, IsExactWhereTheArithmeticIs) {
  EXPECT_EQ(needed(Tensor({1}, {4.0}), Tensor({1}, {5.0}), {0.0, 0.0}), 0.25);
}

TEST(PassingTolerance, IsTheLargestThatAnyElementNeeds) {
  EXPECT_EQ(needed(Tensor({3}, {1, 4, 8}), Tensor({3}, {1, 5, 9}), {0.0, 0.0}),
            0.25);
}

TEST(PassingTolerance, PassesAndTheNextSmallerOneDoesNot) {
  std::uint64_t state = 39;
  for (int round = 0; round < 2000; ++round) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const double unit = static_cast<double>(state >> 11) * 0x1p-53;
    const double expected = std::ldexp(unit - 0.5, round % 40 - 20);
    const double actual =
        expected * (1.0 + std::ldexp(unit + 0.1, -(round % 45)));
    const double absolute = round % 3 == 0 ? 0.0 : 1e-12;
    const Tensor left({1}, {expected});
    const Tensor right({1}, {actual});
    const double tolerance = needed(left, right, {absolute, 1e-10});
    ASSERT_TRUE(passes(left, right, absolute, tolerance));
    if (tolerance > 0.0) {
      ASSERT_FALSE(passes(left, right, absolute, below(tolerance)));
    }
  }
}

TEST(PassingTolerance, IsFoundWhereTheAbsoluteOneIsJustShort) {
  // The difference is one ulp above the absolute tolerance: a quotient of the
  // excess is far below what the sum can see.
  const double absolute = 1e-12;
  const double difference = std::nextafter(absolute, 1.0);
  const Tensor left({1}, {0x1p-60});
  const Tensor right({1}, {0x1p-60 + difference});
  const double tolerance = needed(left, right, {absolute, 0.0});
  EXPECT_TRUE(passes(left, right, absolute, tolerance));
  EXPECT_FALSE(passes(left, right, absolute, below(tolerance)));
}

TEST(PassingTolerance, DoesNotDependOnTheRelativeToleranceThatWasUsed) {
  const Tensor left({1}, {4.0});
  const Tensor right({1}, {5.0});
  EXPECT_EQ(needed(left, right, {0.0, 0.0}), needed(left, right, {0.0, 1.0}));
}

TEST(PassingTolerance, IsInfiniteWhereTheExpectedValueIsZero) {
  EXPECT_EQ(needed(Tensor({2}, {0, 1}), Tensor({2}, {1, 1})),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace tandem::compare
