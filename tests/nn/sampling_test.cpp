// Distributions computed by hand.
#include <gtest/gtest.h>
#include <tandem/nn/sampling.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/thrown_message.h"

namespace tandem::test {
namespace {

using nn::SamplingOptions;
using Values = std::vector<double>;
using Tokens = std::vector<TokenId>;

// Their exponentials are 4, 1, 8, 2: of 15, 15ths.
const Values logits{std::log(4.0), 0.0, std::log(8.0), std::log(2.0)};

SamplingOptions options(double temperature, std::size_t top_k = 0,
                        double top_p = 1.0) {
  SamplingOptions made;
  made.temperature = temperature;
  made.top_k = top_k;
  made.top_p = top_p;
  return made;
}

// `parts` over their sum.
void expect_parts(const SamplingOptions& sampling, const Values& parts,
                  const Values& of = logits) {
  double sum = 0.0;
  for (const double part : parts) sum += part;
  const Values actual = nn::distribution(of, sampling);
  ASSERT_EQ(actual.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_NEAR(actual[i], parts[i] / sum, 1e-15) << "token " << i;
    EXPECT_EQ(actual[i] == 0.0, parts[i] == 0.0) << "token " << i;
  }
}

TEST(Sampling, IsTheSoftmaxWhereNothingIsChosen) {
  expect_parts(options(1.0), {4, 1, 8, 2});
}

TEST(Sampling, SharpensAndFlattensByTheTemperature) {
  expect_parts(options(0.5), {16, 1, 64, 4});
  expect_parts(options(2.0), {2, 1, std::sqrt(8.0), std::sqrt(2.0)});
}

TEST(Sampling, TakesTheMostLikelyTokenAtTemperatureZero) {
  expect_parts(options(0.0), {0, 0, 1, 0});
  expect_parts(options(0.0), {0, 1, 0}, {1.0, 2.0, 2.0});
}

TEST(Sampling, StaysFiniteAtLargeLogitsAndSmallTemperatures) {
  expect_parts(options(1e-300), {0, 0, 1, 0});
  expect_parts(options(1.0), {1, 1, 0}, {1e308, 1e308, -1e308});
}

TEST(Sampling, KeepsTheLikeliestTokens) {
  expect_parts(options(1.0, 1), {0, 0, 8, 0});
  expect_parts(options(1.0, 2), {4, 0, 8, 0});
  expect_parts(options(1.0, 3), {4, 0, 8, 2});
  expect_parts(options(1.0, 99), {4, 1, 8, 2});
}

TEST(Sampling, PrefersTheSmallerIdAmongEquals) {
  expect_parts(options(1.0, 2), {1, 1, 0}, {3.0, 3.0, 3.0});
  expect_parts(options(1.0, 0, 0.5), {1, 1, 0}, {3.0, 3.0, 3.0});
}

TEST(Sampling, KeepsTheLikeliestTokensThatAddUpToTopP) {
  expect_parts(options(1.0, 0, 0.01), {0, 0, 8, 0});  // 8/15 = 0.533
  expect_parts(options(1.0, 0, 0.53), {0, 0, 8, 0});
  expect_parts(options(1.0, 0, 0.54), {4, 0, 8, 0});  // 12/15 = 0.8
  expect_parts(options(1.0, 0, 0.81), {4, 0, 8, 2});  // 14/15 = 0.933
  expect_parts(options(1.0, 0, 0.94), {4, 1, 8, 2});
}

TEST(Sampling, KeepsNoMoreWhereTheSumIsTopPExactly) {
  expect_parts(options(1.0, 0, 0.5), {1, 0}, {3.0, 3.0});
  expect_parts(options(1.0, 0, 0.75), {1, 1, 1, 0}, {3.0, 3.0, 3.0, 3.0});
}

TEST(Sampling, AppliesTemperatureThenTopKThenTopP) {
  // 64, 16, 4 of 84 remain; 64/84 = 0.762, 80/84 = 0.952.
  expect_parts(options(0.5, 3, 0.76), {0, 0, 64, 0});
  expect_parts(options(0.5, 3, 0.77), {16, 0, 64, 0});
  expect_parts(options(0.5, 3, 0.96), {16, 0, 64, 4});
}

TEST(Sampling, PenalizesEachTokenThatWasSeenOnce) {
  EXPECT_EQ(nn::penalized(Values{2.0, -2.0, 0.5, 0.0}, Tokens{0, 1, 0, 3}, 2.0),
            (Values{1.0, -4.0, 0.5, 0.0}));
  EXPECT_EQ(nn::penalized(Values{2.0, -2.0}, Tokens{0, 1}, 1.0),
            (Values{2.0, -2.0}));
}

// The first draws of seed 0 are 0.883, 0.431, 0.026, 0.971.
TEST(Sampling, DrawsWhereTheAscendingSumExceedsTheUnitValue) {
  nn::SplitMix64 generator(0);
  const Values probabilities{0.25, 0.25, 0.0, 0.5};
  Tokens drawn;
  for (int i = 0; i < 4; ++i) {
    drawn.push_back(nn::draw(probabilities, generator));
  }
  EXPECT_EQ(drawn, (Tokens{3, 1, 0, 3}));
}

TEST(Sampling, DrawsNoTokenWithoutAProbability) {
  nn::SplitMix64 generator(0);
  EXPECT_EQ(nn::draw(Values{0.0, 0.3, 0.3, 0.0}, generator), 2u);
}

TEST(Sampling, GivesLogProbabilitiesInNats) {
  EXPECT_NEAR(nn::log_probability(logits, 0), std::log(4.0 / 15.0), 1e-15);
  EXPECT_NEAR(nn::log_probability(logits, 2), std::log(8.0 / 15.0), 1e-15);
}

TEST(Sampling, NamesOptionsThatMakeNoSense) {
  const auto rejected = [](const SamplingOptions& sampling) {
    return thrown_by<ModelError>([&] { sampling.check(); });
  };
  EXPECT_EQ(rejected(options(-1.0)),
            "sampling: temperature must be finite and not negative: -1.000000");
  EXPECT_EQ(rejected(options(std::numeric_limits<double>::infinity())),
            "sampling: temperature must be finite and not negative: inf");
  EXPECT_EQ(rejected(options(1.0, 0, 0.0)),
            "sampling: top_p must be above 0 and at most 1: 0.000000");
  EXPECT_EQ(rejected(options(1.0, 0, 1.5)),
            "sampling: top_p must be above 0 and at most 1: 1.500000");
  SamplingOptions penalty;
  penalty.repetition_penalty = 0.0;
  EXPECT_EQ(
      rejected(penalty),
      "sampling: repetition penalty must be finite and positive: 0.000000");
}

}  // namespace
}  // namespace tandem::test
