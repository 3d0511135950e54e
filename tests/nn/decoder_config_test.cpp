// The checks of a configuration, in their order.
#include <gtest/gtest.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/error.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/thrown_message.h"

namespace tandem::test {
namespace {

using nn::DecoderConfig;

DecoderConfig sound_config() {
  DecoderConfig config;
  config.vocabulary = 5;
  config.width = 8;
  config.heads = 2;
  config.feed_forward_width = 3;
  config.blocks = 1;
  config.position_capacity = 4;
  return config;
}

std::string rejected(const DecoderConfig& config) {
  return thrown_by<ModelError>([&] { config.checked(); });
}

TEST(DecoderConfig, NamesTheFirstFaultInTheDocumentedOrder) {
  DecoderConfig config;  // every value is wrong
  config.heads = 0;
  config.rope_base = 0.0;
  config.rms_epsilon = -1.0;
  const std::vector<std::pair<std::string, std::function<void()>>> faults{
      {"vocabulary is 0", [&] { config.vocabulary = 5; }},
      {"width is 0", [&] { config.width = 9; }},
      {"heads is 0", [&] { config.heads = 2; }},
      {"width is not divisible by heads: width is 9, heads is 2",
       [&] { config.width = 6; }},
      {"head width is odd: 3", [&] { config.width = 8; }},
      {"feed-forward width is 0", [&] { config.feed_forward_width = 3; }},
      {"position capacity is 0", [&] { config.position_capacity = 4; }},
      {"RoPE base must be finite and positive: 0.000000",
       [&] { config.rope_base = 10000.0; }},
      {"RMSNorm epsilon must be finite and not negative: -1.000000",
       [&] { config.rms_epsilon = 0.0; }},
  };
  for (const auto& [reason, repair] : faults) {
    EXPECT_EQ(rejected(config), "decoder config: " + reason);
    repair();
  }
  EXPECT_NO_THROW(config.checked());
}

TEST(DecoderConfig, RejectsConstantsThatAreNotFinite) {
  for (const double value : {std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    DecoderConfig config = sound_config();
    config.rope_base = value;
    EXPECT_EQ(rejected(config),
              "decoder config: RoPE base must be finite and positive: " +
                  std::to_string(value));
    config = sound_config();
    config.rms_epsilon = value;
    EXPECT_EQ(
        rejected(config),
        "decoder config: RMSNorm epsilon must be finite and not negative: " +
            std::to_string(value));
  }
}

TEST(DecoderConfig, RejectsKeyValueHeadsThatDoNotDivideTheHeads) {
  DecoderConfig config = sound_config();
  for (const std::size_t heads : {3u, 4u}) {
    config.key_value_heads = heads;
    EXPECT_EQ(rejected(config),
              "decoder config: heads is not divisible by key/value heads: "
              "heads is 2, key/value heads is " +
                  std::to_string(heads));
  }
}

TEST(DecoderConfig, FillsInWhatItsZerosStandFor) {
  const DecoderConfig config = sound_config().checked();
  EXPECT_EQ(config.head_width, 4u);
  EXPECT_EQ(config.key_value_heads, 2u);
  EXPECT_EQ(config, config.checked());
}

TEST(DecoderConfig, TakesAHeadWidthOfItsOwn) {
  DecoderConfig config = sound_config();
  config.width = 9;
  config.head_width = 6;
  nn::SplitMix64 generator(1);
  const nn::Decoder decoder(config, generator);
  EXPECT_EQ(decoder.parameters().at("blocks.0.attention.query.weight").shape(),
            (Shape{9, 12}));
  EXPECT_EQ(decoder.logits({1, 2}, {1, 2}).shape(), (Shape{1, 2, 5}));
}

TEST(Decoder, LeavesTheGeneratorAloneWhereTheConfigurationIsRejected) {
  nn::SplitMix64 generator(39);
  EXPECT_THROW(nn::Decoder(DecoderConfig(), generator), ModelError);
  EXPECT_EQ(generator.state(), 39u);
}

TEST(Decoder, LeavesTheGeneratorAloneWhereItFailsAfterTheFirstDraws) {
  DecoderConfig config = sound_config();
  config.feed_forward_width = std::numeric_limits<std::size_t>::max() / 2;
  nn::SplitMix64 generator(39);
  EXPECT_THROW(nn::Decoder(config, generator), ShapeError);
  EXPECT_EQ(generator.state(), 39u);
}

}  // namespace
}  // namespace tandem::test
