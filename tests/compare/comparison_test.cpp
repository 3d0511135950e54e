// What the comparison says of tensors that can be compared element by element.
#include <gtest/gtest.h>
#include <tandem/compare/comparison.h>

#include <cmath>
#include <limits>

namespace tandem::compare {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

// One tensor named "x" on each side.
TensorComparison compare_one(const Tensor& expected, const Tensor& actual,
                             const Criterion& criterion = {}) {
  const auto comparison =
      compare({{"x", expected}}, {{"x", actual}}, criterion);
  EXPECT_EQ(comparison.tensors.size(), 1U);
  EXPECT_EQ(comparison.passed,
            comparison.tensors.at(0).finding == Finding::equal);
  return comparison.tensors.at(0);
}

TEST(Comparison, FindsTheSameValuesEqual) {
  const Tensor tensor({2, 2}, {1, -2, 0, 4});
  const auto result = compare_one(tensor, tensor);
  EXPECT_EQ(result.finding, Finding::equal);
  EXPECT_EQ(result.name, "x");
  EXPECT_EQ(result.count, 4U);
  EXPECT_EQ(result.mismatches, 0U);
  EXPECT_EQ(result.nonfinite, 0U);
  EXPECT_EQ(result.passing_relative_tolerance, 0.0);
  EXPECT_EQ(result.scaled_error, 0.0);
}

TEST(Comparison, TakesTheZerosForEqual) {
  const auto result = compare_one(Tensor({1}, {0.0}), Tensor({1}, {-0.0}));
  EXPECT_EQ(result.finding, Finding::equal);
  EXPECT_EQ(result.worst->ulps, 0U);
  EXPECT_EQ(result.worst->relative, 0.0);
}

TEST(Comparison, AdmitsADifferenceThatTheCriterionAllows) {
  // 5e-11 of 1 is half of what is allowed.
  const auto result =
      compare_one(Tensor({1}, {1.0}), Tensor({1}, {1.0 + 5e-11}));
  EXPECT_EQ(result.finding, Finding::equal);
  EXPECT_EQ(result.mismatches, 0U);
  EXPECT_NEAR(result.worst->ratio, 5e-11 / 1.01e-10, 1e-6);
}

TEST(Comparison, CountsEveryElementOutsideTheCriterion) {
  const auto result = compare_one(Tensor({5}, {1, 1, 1, 1, 1}),
                                  Tensor({5}, {1, 1.1, 1, 0.9, 1 + 1e-12}));
  EXPECT_EQ(result.finding, Finding::differs);
  EXPECT_EQ(result.count, 5U);
  EXPECT_EQ(result.mismatches, 2U);
}

TEST(Comparison, AllowsByTheExpectedValueNotTheActual) {
  const Criterion criterion{0.0, 0.5};
  EXPECT_EQ(
      compare_one(Tensor({1}, {2.0}), Tensor({1}, {3.0}), criterion).finding,
      Finding::equal);
  EXPECT_EQ(
      compare_one(Tensor({1}, {1.9}), Tensor({1}, {3.0}), criterion).finding,
      Finding::differs);
}

TEST(Comparison, AllowsAsMuchForANegativeValue) {
  const Criterion criterion{0.0, 0.5};
  EXPECT_EQ(
      compare_one(Tensor({1}, {-2.0}), Tensor({1}, {-3.0}), criterion).finding,
      Finding::equal);
}

TEST(Comparison, DescribesTheElementOfTheLargestRatio) {
  // The element at 100 is off by most, that at 1 by most of what is allowed.
  const auto result =
      compare_one(Tensor({2, 1, 3}, {100, 2, 3, 4, 1, 6}),
                  Tensor({2, 1, 3}, {101, 2, 3, 4, 1.5, 6}), {0.0, 0.25});
  ASSERT_TRUE(result.worst.has_value());
  EXPECT_EQ(result.worst->index, 4U);
  EXPECT_EQ(result.worst->coordinates, (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_EQ(result.worst->expected, 1.0);
  EXPECT_EQ(result.worst->actual, 1.5);
  EXPECT_EQ(result.worst->absolute, 0.5);
  EXPECT_EQ(result.worst->relative, 0.5);
  EXPECT_EQ(result.worst->ulps, std::uint64_t{1} << 51);
  EXPECT_EQ(result.worst->ratio, 2.0);
}

TEST(Comparison, TakesTheFirstOfEquallyBadElements) {
  const auto result =
      compare_one(Tensor({3}, {1, 1, 1}), Tensor({3}, {1, 2, 2}));
  EXPECT_EQ(result.worst->index, 1U);
}

TEST(Comparison, GivesARankZeroTensorNoCoordinates) {
  const auto result = compare_one(Tensor::scalar(1.0), Tensor::scalar(2.0));
  EXPECT_EQ(result.worst->coordinates, std::vector<std::size_t>{});
  EXPECT_EQ(result.count, 1U);
}

TEST(Comparison, CallsAnyDifferenceFromZeroInfinitelyFarRelativeToIt) {
  const auto result = compare_one(Tensor({1}, {0.0}), Tensor({1}, {1e-3}));
  EXPECT_EQ(result.worst->relative, infinity);
  EXPECT_NEAR(result.worst->ratio, 1e9, 1.0);
}

TEST(Comparison, PutsTheRatioAboveOneOnlyWhereTheCriterionFails) {
  // Differences about the allowance, where the quotient rounds to 1.
  for (int step = -3; step <= 3; ++step) {
    for (const double allowed : {1.0, 1.3, 1.999999999999999, 0.7}) {
      double actual = allowed;
      for (int i = 0; i < std::abs(step); ++i) {
        actual = std::nextafter(actual, step < 0 ? 0.0 : infinity);
      }
      const auto result = compare_one(Tensor({1}, {0.0}), Tensor({1}, {actual}),
                                      {allowed, 0.0});
      EXPECT_EQ(result.finding == Finding::differs, step > 0);
      EXPECT_EQ(result.worst->ratio > 1.0, step > 0);
    }
  }
}

TEST(Comparison, TakesADifferenceThatOverflowsForOne) {
  const auto result =
      compare_one(Tensor({1}, {-1.5e308}), Tensor({1}, {1.5e308}));
  EXPECT_EQ(result.finding, Finding::differs);
  EXPECT_EQ(result.nonfinite, 0U);
  EXPECT_EQ(result.worst->absolute, infinity);
}

TEST(Comparison, AdmitsWhatOverflowsOnBothSidesOfTheCriterion) {
  const auto result =
      compare_one(Tensor({1}, {-1.5e308}), Tensor({1}, {1.5e308}), {0.0, 10.0});
  EXPECT_EQ(result.finding, Finding::equal);
  EXPECT_EQ(result.worst->ratio, 1.0);
}

TEST(Comparison, ScalesTheErrorByTheLargestExpectedValue) {
  const double eps = std::numeric_limits<double>::epsilon();
  const auto result =
      compare_one(Tensor({2}, {-8, 1}), Tensor({2}, {-8, 1 + 4 * eps}));
  EXPECT_EQ(result.scaled_error, 0.5);
}

TEST(Comparison, FindsAnEmptyTensorEqual) {
  const auto result = compare_one(Tensor::zeros({0, 3}), Tensor::zeros({0, 3}));
  EXPECT_EQ(result.finding, Finding::equal);
  EXPECT_EQ(result.count, 0U);
  EXPECT_FALSE(result.worst.has_value());
}

TEST(Comparison, PassesWhereThereIsNothing) {
  const auto comparison = compare({}, {});
  EXPECT_TRUE(comparison.passed);
  EXPECT_EQ(comparison.count, 0U);
}

TEST(Comparison, FailsOnANonfiniteElementOnEitherSide) {
  for (const double bad : {nan, infinity, -infinity}) {
    const Tensor sound({3}, {1, 2, 3});
    const Tensor spoiled({3}, {1, bad, 3});
    for (const auto& result :
         {compare_one(sound, spoiled), compare_one(spoiled, sound)}) {
      EXPECT_EQ(result.finding, Finding::nonfinite);
      EXPECT_EQ(result.nonfinite, 1U);
      EXPECT_EQ(result.mismatches, 1U);
      EXPECT_EQ(result.worst->index, 1U);
      EXPECT_EQ(result.worst->ratio, infinity);
      EXPECT_EQ(result.passing_relative_tolerance, infinity);
      EXPECT_EQ(result.scaled_error, infinity);
    }
  }
}

TEST(Comparison, FailsOnTheSameInfinityOnBothSides) {
  const Tensor tensor({1}, {infinity});
  const auto result = compare_one(tensor, tensor);
  EXPECT_EQ(result.finding, Finding::nonfinite);
  EXPECT_EQ(result.nonfinite, 1U);
}

TEST(Comparison, CallsATensorNonfiniteWhereItAlsoDiffers) {
  const auto result = compare_one(Tensor({2}, {1, 1}), Tensor({2}, {2, nan}));
  EXPECT_EQ(result.finding, Finding::nonfinite);
  EXPECT_EQ(result.mismatches, 2U);
}

TEST(Comparison, AddsUpAllTensors) {
  const auto comparison =
      compare({{"a", Tensor({2}, {1, 2})}, {"b", Tensor({3}, {1, 2, 3})}},
              {{"a", Tensor({2}, {1, 9})}, {"b", Tensor({3}, {9, 2, 9})}});
  EXPECT_FALSE(comparison.passed);
  EXPECT_EQ(comparison.count, 5U);
  EXPECT_EQ(comparison.mismatches, 3U);
  EXPECT_EQ(comparison.criterion, Criterion{});
}

TEST(Comparison, ComparesByNameWhateverTheOrder) {
  const NamedTensor a{"a", Tensor({2}, {1, 2})};
  const NamedTensor b{"b", Tensor({2}, {3, 4})};
  const auto comparison = compare({a, b}, {b, a});
  EXPECT_TRUE(comparison.passed);
  EXPECT_EQ(comparison.tensors.at(0).name, "a");
  EXPECT_EQ(comparison.tensors.at(1).name, "b");
}

TEST(Comparison, DoesNotPairEqualValuesUnderSwappedNames) {
  const Tensor one({1}, {1.0});
  const Tensor two({1}, {2.0});
  const auto comparison =
      compare({{"a", one}, {"b", two}}, {{"b", one}, {"a", two}});
  EXPECT_FALSE(comparison.passed);
  EXPECT_EQ(comparison.mismatches, 2U);
}

}  // namespace
}  // namespace tandem::compare
