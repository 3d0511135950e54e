// Sets of tensors that do not match, and calls that make no sense.
#include <gtest/gtest.h>
#include <tandem/compare/comparison.h>
#include <tandem/tensor/error.h>

#include <limits>

#include "support/thrown_message.h"

namespace tandem::compare {
namespace {

const Tensor pair({2}, {1, 2});

TEST(Comparison, FailsOnAnotherShapeAndComparesNoElement) {
  const auto comparison = compare({{"x", Tensor({2, 3}, {1, 2, 3, 4, 5, 6})}},
                                  {{"x", Tensor({3, 2}, {1, 2, 3, 4, 5, 6})}});
  EXPECT_FALSE(comparison.passed);
  const auto& result = comparison.tensors.at(0);
  EXPECT_EQ(result.finding, Finding::shape_mismatch);
  EXPECT_EQ(result.expected_shape, (Shape{2, 3}));
  EXPECT_EQ(result.actual_shape, (Shape{3, 2}));
  EXPECT_EQ(result.count, 0U);
  EXPECT_FALSE(result.worst.has_value());
}

TEST(Comparison, FailsOnShapesThatBroadcastingWouldMatch) {
  EXPECT_EQ(compare({{"x", Tensor::ones({1, 2})}}, {{"x", Tensor::ones({2})}})
                .tensors.at(0)
                .finding,
            Finding::shape_mismatch);
}

TEST(Comparison, FailsOnEmptyTensorsOfOtherShapes) {
  EXPECT_FALSE(
      compare({{"x", Tensor::zeros({0, 2})}}, {{"x", Tensor::zeros({2, 0})}})
          .passed);
}

TEST(Comparison, NamesWhatIsMissing) {
  const auto comparison = compare({{"a", pair}, {"b", pair}}, {{"b", pair}});
  EXPECT_FALSE(comparison.passed);
  ASSERT_EQ(comparison.tensors.size(), 2U);
  EXPECT_EQ(comparison.tensors[0].name, "a");
  EXPECT_EQ(comparison.tensors[0].finding, Finding::missing);
  EXPECT_EQ(comparison.tensors[0].expected_shape, (Shape{2}));
  EXPECT_EQ(comparison.tensors[1].finding, Finding::equal);
}

TEST(Comparison, NamesWhatIsExtraAfterWhatWasExpected) {
  const auto comparison = compare({{"b", pair}}, {{"a", pair}, {"b", pair}});
  EXPECT_FALSE(comparison.passed);
  ASSERT_EQ(comparison.tensors.size(), 2U);
  EXPECT_EQ(comparison.tensors[0].name, "b");
  EXPECT_EQ(comparison.tensors[1].name, "a");
  EXPECT_EQ(comparison.tensors[1].finding, Finding::extra);
  EXPECT_EQ(comparison.tensors[1].actual_shape, (Shape{2}));
}

TEST(Comparison, FailsOnAMissingEmptyTensor) {
  EXPECT_FALSE(compare({{"a", Tensor::zeros({0})}}, {}).passed);
}

TEST(Comparison, TakesNamesToTheLetter) {
  const auto comparison = compare({{"a", pair}}, {{"A", pair}});
  EXPECT_EQ(comparison.tensors.at(0).finding, Finding::missing);
  EXPECT_EQ(comparison.tensors.at(1).finding, Finding::extra);
}

TEST(Comparison, RejectsANameThatStandsTwice) {
  EXPECT_EQ(test::thrown_by<Error>([] {
              compare({{"a", pair}, {"a", pair}}, {{"a", pair}});
            }),
            "compare: name stands twice: \"a\" in the expected set");
  EXPECT_EQ(test::thrown_by<Error>([] {
              compare({{"a", pair}}, {{"a", pair}, {"a", pair}});
            }),
            "compare: name stands twice: \"a\" in the actual set");
}

TEST(Comparison, RejectsTolerancesThatMeanNothing) {
  EXPECT_EQ(test::thrown_by<Error>([] {
              compare({}, {}, {-1e-12, 1e-10});
            }),
            "compare: tolerances must be finite and not negative: "
            "-1e-12 absolute, 1e-10 relative");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(test::thrown_by<Error>([=] {
              compare({}, {}, {0.0, infinity});
            }),
            "compare: tolerances must be finite and not negative: "
            "0 absolute, inf relative");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(test::thrown_by<Error>([=] {
              compare({}, {}, {nan, 0.0});
            }),
            "compare: tolerances must be finite and not negative: "
            "nan absolute, 0 relative");
}

TEST(Finding, HasAName) {
  EXPECT_STREQ(to_string(Finding::equal), "equal");
  EXPECT_STREQ(to_string(Finding::differs), "differs");
  EXPECT_STREQ(to_string(Finding::nonfinite), "nonfinite");
  EXPECT_STREQ(to_string(Finding::shape_mismatch), "shape mismatch");
  EXPECT_STREQ(to_string(Finding::missing), "missing");
  EXPECT_STREQ(to_string(Finding::extra), "extra");
}

}  // namespace
}  // namespace tandem::compare
