// Reading with a cache on every device, against full recomputation on the CPU.
#include <gtest/gtest.h>
#include <tandem/nn/decoder_session.h>
#include <tandem/nn/generation.h>

#include <string>
#include <vector>

#include "support/bits.h"
#include "support/devices.h"

namespace tandem::test {
namespace {

using Tokens = std::vector<TokenId>;

nn::Decoder small_decoder() {
  nn::DecoderConfig config;
  config.vocabulary = 19;
  config.width = 12;
  config.heads = 4;
  config.key_value_heads = 2;
  config.head_width = 6;
  config.feed_forward_width = 14;
  config.blocks = 2;
  config.position_capacity = 8;
  nn::SplitMix64 generator(8);
  return nn::Decoder(config, generator);
}

class Reading : public DeviceTest {
 protected:
  testing::AssertionResult agree(const TensorView& actual,
                                 const TensorView& expected) const {
    return rounds_as_specified() ? same_bits(actual, expected)
                                 : close_to(actual, expected.shape(),
                                            values_of(expected), 1e-10, 1e-12);
  }

  const nn::Decoder decoder_ = small_decoder();
};

TEST_P(Reading, AgreesWithFullRecomputationAtEverySplit) {
  const Tokens texts[]{{4, 1, 18, 7, 7, 0}, {2, 16, 3, 9, 11, 5}};
  Tokens tokens = texts[0];
  tokens.insert(tokens.end(), texts[1].begin(), texts[1].end());
  const TensorView expected = decoder_.logits(tokens, {2, 6}).view();
  for (std::size_t split = 1; split < 6; ++split) {
    SCOPED_TRACE("split at " + std::to_string(split));
    nn::DecoderSession session(decoder_, {2, 0}, context());
    Tokens first;
    for (const Tokens& text : texts) {
      first.insert(first.end(), text.begin(),
                   text.begin() + static_cast<std::ptrdiff_t>(split));
    }
    EXPECT_TRUE(agree(session.read(first), expected.slice(1, 0, split)));
    for (std::size_t i = split; i < 6; ++i) {
      EXPECT_TRUE(agree(session.read({texts[0][i], texts[1][i]}),
                        expected.slice(1, i, i + 1)));
    }
  }
}

TEST_P(Reading, GeneratesTheTextOfTheCpu) {
  nn::GenerationOptions options;
  options.tokens = 6;
  options.sampling.temperature = 1.5;
  const auto expected = nn::generate(decoder_, {{4, 1}}, options).front();
  const auto actual =
      nn::generate(decoder_, {{4, 1}}, options, context()).front();
  ASSERT_EQ(actual.tokens.size(), expected.tokens.size());
  for (std::size_t i = 0; i < expected.tokens.size(); ++i) {
    EXPECT_EQ(actual.tokens[i].id, expected.tokens[i].id);
    EXPECT_NEAR(actual.tokens[i].log_probability,
                expected.tokens[i].log_probability, 1e-9);
  }
}

TEST_P(Reading, RunsItsProductsOnTheDevice) {
  const auto before = context().stats();
  nn::DecoderSession session(decoder_, {}, context());
  session.read({4, 1, 18});
  const std::size_t requests =
      context().stats().gemm_requests - before.gemm_requests;
  // Per block nine products and two means; the last mean and the head.
  EXPECT_EQ(requests, rounds_as_specified() ? 0u : 2u * 11 + 2);
}

TANDEM_ON_EVERY_DEVICE(Reading);

}  // namespace
}  // namespace tandem::test
