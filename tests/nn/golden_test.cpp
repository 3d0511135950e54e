// The decoder fixture against its golden values: initial values, every
// intermediate, 774 logits, the loss, 1372 gradients.
#include "support/golden.h"

#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/nn/decoder.h>

#include <bit>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/json_tensors.h"
#include "support/libm_probe.h"

namespace tandem::test {
namespace {

using autograd::Context;
using autograd::Variable;

const nlohmann::json& golden(const char* field) {
  return golden_fixture().at(field);
}

std::vector<TokenId> golden_tokens(const char* field) {
  return to_sizes(golden("tokens").at(field));
}

Shape input_shape() { return {1, golden_tokens("inputs").size()}; }

class GoldenDecoder : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string differing = differing_functions();
    std::cout << "golden values: "
              << (differing.empty()
                      ? "compared bit for bit"
                      : "compared within 1e-12 + 1e-10 |c|, because these "
                        "functions round differently here: " +
                            differing)
              << '\n';
  }

  const nn::Decoder decoder_ = golden_decoder();
};

TEST(GoldenGenerator, GivesTheFirstDrawsOfTheSeed) {
  nn::SplitMix64 generator(from_hex(golden("rng").at("initial_state")));
  for (const auto& draw : golden("rng").at("first_outputs")) {
    EXPECT_EQ(generator.next(), from_hex(draw));
  }
}

TEST(GoldenGenerator, IsLeftInTheFinalState) {
  nn::SplitMix64 generator(golden("config").at("seed"));
  EXPECT_EQ(generator.state(), from_hex(golden("rng").at("initial_state")));
  const nn::Decoder decoder(golden_config(), generator);
  EXPECT_EQ(generator.state(), from_hex(golden("rng").at("final_state")));
}

TEST(GoldenGenerator, DrawsAsOftenAsThereAreMatrixEntries) {
  nn::SplitMix64 generator(golden("config").at("seed"));
  for (std::size_t i = 0; i < golden("rng").at("draws"); ++i) generator.next();
  EXPECT_EQ(generator.state(), from_hex(golden("rng").at("final_state")));
}

TEST_F(GoldenDecoder, HasTheNamedParametersInRegistryOrder) {
  const auto& entries = decoder_.parameters().entries();
  ASSERT_EQ(entries.size(), golden("parameters").size());
  EXPECT_EQ(entries.size(),
            golden("config").at("named_tensors").get<std::size_t>());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].name,
              golden("parameters")[i].at("name").get<std::string>());
  }
  EXPECT_EQ(decoder_.parameters().scalar_count(),
            golden("config").at("scalar_parameters").get<std::size_t>());
}

TEST_F(GoldenDecoder, StartsFromTheInitialValues) {
  for (const auto& facts : golden("parameters")) {
    // Square root is exactly rounded everywhere: these bits always hold.
    EXPECT_TRUE(same_bits(decoder_.parameters().at(facts.at("name")).value(),
                          Shape(to_sizes(facts.at("shape"))),
                          from_bits(facts.at("bits"))))
        << facts.at("name");
  }
}

TEST_F(GoldenDecoder, HasTheRotaryTables) {
  const nn::RotaryEmbedding& rotary = decoder_.backbone().rotary();
  const auto& rope = golden("rope");
  EXPECT_TRUE(equals_golden(rotary.cosines(), {8, 2},
                            from_bits(rope.at("cosines").at("bits"))));
  EXPECT_TRUE(equals_golden(rotary.sines(), {8, 2},
                            from_bits(rope.at("sines").at("bits"))));
}

TEST_F(GoldenDecoder, ComputesEveryLogit) {
  const Variable logits =
      decoder_.logits(golden_tokens("inputs"), input_shape());
  EXPECT_EQ(logits.view().size(), 774u);
  EXPECT_TRUE(equals_golden(logits.view(), {1, 3, 258},
                            from_bits(golden("logits").at("bits"))));
}

TEST_F(GoldenDecoder, ComputesTheLoss) {
  const Variable loss = decoder_.loss(golden_tokens("inputs"), input_shape(),
                                      golden_tokens("targets"));
  EXPECT_TRUE(equals_golden(
      loss.view(), {},
      {std::bit_cast<double>(from_hex(golden("loss").at("bits")))}));
}

TEST_F(GoldenDecoder, ComputesEveryGradient) {
  decoder_
      .loss(golden_tokens("inputs"), input_shape(), golden_tokens("targets"))
      .backward();
  std::size_t compared = 0;
  for (const auto& facts : golden("parameters")) {
    const Tensor gradient =
        decoder_.parameters().at(facts.at("name")).gradient();
    EXPECT_TRUE(equals_golden(gradient, Shape(to_sizes(facts.at("shape"))),
                              from_bits(facts.at("gradient_bits"))))
        << facts.at("name");
    compared += gradient.size();
  }
  EXPECT_EQ(compared, 1372u);
}

// The layers of one block, over the parameters of a decoder that has it.
struct Layers {
  explicit Layers(const nn::Decoder& decoder, std::size_t block)
      : source_([&decoder](const std::string& name, const Shape&) {
          return decoder.parameters().at(name).value();
        }),
        config(decoder.config().checked()),
        below(nn::below("blocks." + std::to_string(block), source_)),
        attention_norm(config.width, config.rms_epsilon,
                       nn::below("attention_norm", below)),
        attention(config, nn::below("attention", below)),
        ffn_norm(config.width, config.rms_epsilon,
                 nn::below("ffn_norm", below)),
        ffn(config.width, config.feed_forward_width, nn::below("ffn", below)) {}

 private:
  nn::ParameterSource source_;

 public:
  nn::DecoderConfig config;
  nn::ParameterSource below;
  nn::RmsNorm attention_norm;
  nn::CausalAttention attention;
  nn::RmsNorm ffn_norm;
  nn::SwiGlu ffn;
};

testing::AssertionResult equals_intermediate(const Variable& actual,
                                             const Shape& shape,
                                             const std::string& name) {
  return equals_golden(actual.view(), shape,
                       from_bits(golden("intermediates").at(name).at("bits")));
}

TEST_F(GoldenDecoder, LooksUpTheEmbedding) {
  const nn::PreparedInput input =
      decoder_.encoder().encode(golden_tokens("inputs"), input_shape());
  EXPECT_TRUE(equals_intermediate(input.vectors, {1, 3, 4}, "embedding"));
}

TEST_F(GoldenDecoder, PassesThroughEveryIntermediateOfTheBlocks) {
  const Context context;
  Variable x = decoder_.encoder()
                   .encode(golden_tokens("inputs"), input_shape())
                   .vectors;  // [1, 3, 4]
  for (std::size_t b = 0; b < 2; ++b) {
    const Layers layers(decoder_, b);
    const std::string block = "blocks." + std::to_string(b) + ".";
    const Variable normed = layers.attention_norm.forward(x, context);
    EXPECT_TRUE(
        equals_intermediate(normed, {1, 3, 4}, block + "attention_norm"));
    const auto [attended, weights] =
        layers.attention.inspect(normed, decoder_.backbone().rotary(), context);
    EXPECT_TRUE(equals_intermediate(weights, {1, 1, 3, 3},
                                    block + "attention_weights"));
    x = x + attended;
    EXPECT_TRUE(equals_intermediate(x, {1, 3, 4}, block + "after_attention"));
    x = x + layers.ffn.forward(layers.ffn_norm.forward(x, context), context);
    EXPECT_TRUE(equals_intermediate(x, {1, 3, 4}, block + "output"));
  }
}

TEST_F(GoldenDecoder, EndsInTheFinalNorm) {
  const nn::HiddenState hidden = decoder_.backbone().forward(
      decoder_.encoder().encode(golden_tokens("inputs"), input_shape()));
  EXPECT_TRUE(equals_intermediate(hidden.vectors, {1, 3, 4}, "final_norm"));
}

}  // namespace
}  // namespace tandem::test
