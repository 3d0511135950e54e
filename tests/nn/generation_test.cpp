// Continuations against what full recomputation gives token by token.
#include <gtest/gtest.h>
#include <tandem/nn/generation.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/thrown_message.h"

namespace tandem::test {
namespace {

using nn::Continuation;
using nn::GenerationOptions;
using Tokens = std::vector<TokenId>;

class Generation : public testing::Test {
 protected:
  static nn::Decoder made() {
    nn::DecoderConfig config;
    config.vocabulary = 17;
    config.width = 8;
    config.heads = 2;
    config.key_value_heads = 1;
    config.feed_forward_width = 12;
    config.blocks = 2;
    config.position_capacity = 12;
    nn::SplitMix64 generator(11);
    return nn::Decoder(config, generator);
  }

  static Tokens ids(const Continuation& text) {
    Tokens tokens;
    for (const auto& token : text.tokens) tokens.push_back(token.id);
    return tokens;
  }

  // The logits of the token after `tokens`.
  std::vector<double> next_logits(const Tokens& tokens) const {
    const auto logits = decoder_.logits(tokens, {1, tokens.size()});
    const Tensor last =
        logits.view().slice(1, tokens.size() - 1, tokens.size()).materialize();
    return {last.values().begin(), last.values().end()};
  }

  // The likeliest tokens, where those that stand already are penalized.
  Tokens likeliest(Tokens tokens, std::size_t count, double penalty) const {
    const std::size_t given = tokens.size();
    while (tokens.size() < given + count) {
      const auto scores = nn::penalized(next_logits(tokens), tokens, penalty);
      tokens.push_back(static_cast<TokenId>(
          std::max_element(scores.begin(), scores.end()) - scores.begin()));
    }
    return {tokens.begin() + static_cast<std::ptrdiff_t>(given), tokens.end()};
  }

  std::string rejected(const std::vector<Tokens>& prompts,
                       const GenerationOptions& options = {}) const {
    return thrown_by<ModelError>(
        [&] { nn::generate(decoder_, prompts, options); });
  }

  static GenerationOptions sampled(std::size_t tokens, std::uint64_t seed) {
    GenerationOptions options;
    options.tokens = tokens;
    options.sampling.temperature = 1.5;
    options.seed = seed;
    return options;
  }

  const nn::Decoder decoder_ = made();
};

TEST_F(Generation, TakesTheLikeliestTokensByDefault) {
  GenerationOptions options;
  options.tokens = 9;
  const auto texts = nn::generate(decoder_, {{3, 1, 4}}, options);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(ids(texts[0]), likeliest({3, 1, 4}, 9, 1.0));
  EXPECT_FALSE(texts[0].stopped);
}

TEST_F(Generation, PenalizesThePromptAndWhatItWrote) {
  GenerationOptions options;
  options.tokens = 9;
  options.sampling.repetition_penalty = 3.0;
  const auto texts = nn::generate(decoder_, {{3, 1, 4}}, options);
  EXPECT_EQ(ids(texts[0]), likeliest({3, 1, 4}, 9, 3.0));
  EXPECT_NE(ids(texts[0]), likeliest({3, 1, 4}, 9, 1.0));
}

TEST_F(Generation, ReportsTheModelsOwnLogProbabilities) {
  GenerationOptions options = sampled(5, 4);
  options.sampling.top_k = 3;
  const auto texts = nn::generate(decoder_, {{3, 1, 4}}, options);
  Tokens tokens{3, 1, 4};
  for (const auto& token : texts[0].tokens) {
    EXPECT_DOUBLE_EQ(token.log_probability,
                     nn::log_probability(next_logits(tokens), token.id));
    tokens.push_back(token.id);
  }
}

TEST_F(Generation, DrawsFromTheDistributionInTheOrderOfTheSeed) {
  const auto texts = nn::generate(decoder_, {{3, 1, 4}}, sampled(9, 42));
  nn::SplitMix64 generator(42);
  Tokens tokens{3, 1, 4};
  for (const auto& token : texts[0].tokens) {
    EXPECT_EQ(token.id, nn::draw(nn::distribution(next_logits(tokens),
                                                  sampled(0, 0).sampling),
                                 generator));
    tokens.push_back(token.id);
  }
}

TEST_F(Generation, WritesEachTextOfABatchAsItWouldAlone) {
  const std::vector<Tokens> prompts{{3, 1}, {9, 2}, {3, 1}};
  const auto together = nn::generate(decoder_, prompts, sampled(8, 7));
  ASSERT_EQ(together.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto alone = nn::generate(decoder_, {prompts[i]}, sampled(8, 7 + i));
    EXPECT_EQ(ids(together[i]), ids(alone[0])) << "text " << i;
  }
  EXPECT_NE(ids(together[0]), ids(together[2])) << "seeds do not matter";
}

TEST_F(Generation, EndsATextAtAStopTokenAndGoesOnWithTheOthers) {
  const std::vector<Tokens> prompts{{3, 1}, {9, 2}};
  GenerationOptions options = sampled(8, 7);
  const auto whole = nn::generate(decoder_, prompts, options);
  const Tokens first = ids(whole[0]);
  const Tokens second = ids(whole[1]);
  const auto stop = std::find_if(first.begin(), first.end(), [&](TokenId id) {
    return std::count(second.begin(), second.end(), id) == 0;
  });
  ASSERT_LT(stop - first.begin(), 7) << "a seed that shows it is needed";
  options.stop = {*stop};
  const auto texts = nn::generate(decoder_, prompts, options);
  EXPECT_EQ(ids(texts[0]), Tokens(first.begin(), stop + 1));
  EXPECT_TRUE(texts[0].stopped);
  EXPECT_EQ(ids(texts[1]), second);
  EXPECT_FALSE(texts[1].stopped);
}

TEST_F(Generation, TellsOfEachTokenAsItComes) {
  GenerationOptions options;
  options.tokens = 3;
  std::vector<std::pair<std::size_t, TokenId>> told;
  const auto texts =
      nn::generate(decoder_, {{3, 1}, {9, 2}}, options, {},
                   [&](std::size_t text, const nn::GeneratedToken& token) {
                     told.emplace_back(text, token.id);
                   });
  std::vector<std::pair<std::size_t, TokenId>> expected;
  for (std::size_t i = 0; i < 3; ++i) {
    expected.emplace_back(0, texts[0].tokens[i].id);
    expected.emplace_back(1, texts[1].tokens[i].id);
  }
  EXPECT_EQ(told, expected);
}

TEST_F(Generation, WritesNothingWhereNothingIsAskedFor) {
  GenerationOptions options;
  options.tokens = 0;
  const auto texts = nn::generate(decoder_, {{3}, {4}}, options);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_TRUE(texts[0].tokens.empty());
}

TEST_F(Generation, RefusesWhatMakesNoSense) {
  EXPECT_EQ(rejected({}), "generate: there is no prompt");
  EXPECT_EQ(rejected({{}}), "generate: prompt is empty: text 0");
  EXPECT_EQ(rejected({{1, 2}, {1}}),
            "generate: prompts differ in length: text 0 has 2 tokens, text 1 "
            "has 1");
  GenerationOptions options;
  options.tokens = 11;
  EXPECT_EQ(rejected({{1, 2}}, options),
            "generate: more tokens than positions: prompt has 2, new are 11, "
            "positions are 12");
  options.tokens = 1;
  EXPECT_EQ(rejected({{17}}, options),
            "tokens: id is not in the vocabulary: position 0 has id 17, "
            "vocabulary is 17: shape is [1, 1]");
  options.sampling.top_p = 2.0;
  EXPECT_EQ(rejected({{1}}, options),
            "sampling: top_p must be above 0 and at most 1: 2.000000");
}

}  // namespace
}  // namespace tandem::test
