// The decoder as a whole: token checks, batches, contexts, ties.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/error.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/bits.h"
#include "support/finite_difference.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

namespace ag = autograd;

class DecoderModel : public testing::Test {
 protected:
  static nn::DecoderConfig config() {
    nn::DecoderConfig config;
    config.vocabulary = 11;
    config.width = 8;
    config.heads = 2;
    config.feed_forward_width = 12;
    config.blocks = 2;
    config.position_capacity = 6;
    return config;
  }

  std::string rejected(const std::vector<TokenId>& tokens,
                       const Shape& shape) const {
    return thrown_by<ModelError>(
        [&] { decoder_.encoder().encode(tokens, shape); });
  }

  Tensor logits(const std::vector<TokenId>& tokens, const Shape& shape) const {
    return decoder_.logits(tokens, shape).value();
  }

  nn::SplitMix64 generator_{1};
  const nn::Decoder decoder_{config(), generator_};
};

TEST_F(DecoderModel, RegistersAHeadOfItsOwnLast) {
  nn::DecoderConfig untied = config();
  untied.tied_head = false;
  nn::SplitMix64 generator(1);
  const nn::Decoder decoder(untied, generator);
  const auto& entries = decoder.parameters().entries();
  const auto& tied = decoder_.parameters().entries();
  ASSERT_EQ(entries.size(), tied.size() + 1);
  for (std::size_t i = 0; i < tied.size(); ++i) {
    EXPECT_EQ(entries[i].name, tied[i].name);
    EXPECT_TRUE(
        same_bits(entries[i].parameter.view(), tied[i].parameter.view()));
  }
  EXPECT_EQ(entries.back().name, "head.weight");
  EXPECT_TRUE(entries.back().parameter.is_same_node(decoder.head().table()));
}

TEST_F(DecoderModel, TeachesAHeadOfItsOwnApartFromTheTable) {
  nn::DecoderConfig untied = config();
  untied.tied_head = false;
  nn::SplitMix64 generator(1);
  const nn::Decoder decoder(untied, generator);
  decoder.loss({1}, {1, 1}, {2}).backward();
  const Tensor table = decoder.encoder().table().gradient();
  EXPECT_TRUE(same_bits(table.view().slice(0, 2, 11), Tensor::zeros({9, 8})));
  for (std::size_t row = 0; row < 11; ++row) {
    EXPECT_NE(decoder.head().table().gradient().at({row, 0}), 0.0);
  }
}

TEST_F(DecoderModel, RejectsTokensOfAnotherRank) {
  EXPECT_EQ(rejected({1, 2, 3}, {3}),
            "tokens: shape must be [batch, tokens]: shape is [3]");
}

TEST_F(DecoderModel, RejectsAnEmptyBatchBeforeNoTokens) {
  EXPECT_EQ(rejected({}, {0, 0}), "tokens: batch is empty: shape is [0, 0]");
  EXPECT_EQ(rejected({}, {1, 0}),
            "tokens: there are no tokens: shape is [1, 0]");
}

TEST_F(DecoderModel, RejectsMoreTokensThanPositionsBeforeAnOverflow) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::string text = std::to_string(most);
  EXPECT_EQ(
      rejected({}, {most, 7}),
      "tokens: more tokens than the 6 positions: shape is [" + text + ", 7]");
  EXPECT_EQ(rejected({}, {most, 6}),
            "tokens: count overflows: shape is [" + text + ", 6]");
}

TEST_F(DecoderModel, RejectsAnotherCountBeforeAnUnknownId) {
  EXPECT_EQ(rejected({1, 99}, {1, 3}),
            "tokens: count differs from shape: given are 2: shape is [1, 3]");
}

TEST_F(DecoderModel, NamesPositionAndIdOutsideTheVocabulary) {
  for (const std::uint64_t id : {std::uint64_t{11}, std::uint64_t{1} << 32,
                                 std::numeric_limits<std::uint64_t>::max()}) {
    EXPECT_EQ(rejected({1, 2, 3, id, 12, 0}, {2, 3}),
              "tokens: id is not in the vocabulary: position 3 has id " +
                  std::to_string(id) + ", vocabulary is 11: shape is [2, 3]");
  }
}

TEST_F(DecoderModel, TreatsEachRowOfABatchAlone) {
  const Tensor both = logits({1, 2, 3, 4, 5, 6, 7, 8}, {2, 4});
  EXPECT_TRUE(
      same_bits(both.view().slice(0, 0, 1), logits({1, 2, 3, 4}, {1, 4})));
  EXPECT_TRUE(
      same_bits(both.view().slice(0, 1, 2), logits({5, 6, 7, 8}, {1, 4})));
}

TEST_F(DecoderModel, NeverLooksAhead) {
  const Tensor some = logits({1, 2, 3}, {1, 3});
  const Tensor more = logits({1, 2, 3, 4, 5, 6}, {1, 6});
  EXPECT_TRUE(same_bits(more.view().slice(1, 0, 3), some));
}

TEST_F(DecoderModel, AveragesTheLossOverTheBatch) {
  const std::vector<TokenId> tokens{1, 2, 3, 4};
  const double first = decoder_.loss({1, 2}, {1, 2}, {2, 3}).value().item();
  const double second = decoder_.loss({3, 4}, {1, 2}, {4, 5}).value().item();
  const double both =
      decoder_.loss(tokens, {2, 2}, {2, 3, 4, 5}).value().item();
  EXPECT_NEAR(both, (first + second) / 2, 1e-14);
}

TEST_F(DecoderModel, CountsTheTiedTableOnce) {
  EXPECT_TRUE(decoder_.encoder().table().is_same_node(decoder_.head().table()));
  std::size_t named = 0;
  for (const auto& [name, parameter] : decoder_.parameters().entries()) {
    named += parameter.is_same_node(decoder_.head().table());
  }
  EXPECT_EQ(named, 1u);
  // table, then per block two gains, four projections, three matrices
  EXPECT_EQ(decoder_.parameters().scalar_count(),
            11u * 8 + 2 * (2 * 8 + 4 * 64 + 3 * 96) + 8);
}

TEST_F(DecoderModel, AddsWhatLookupAndHeadGiveTheTiedTable) {
  const ag::Variable hidden =
      decoder_.backbone()
          .forward(decoder_.encoder().encode({1}, {1, 1}))
          .vectors;
  ag::Parameter table = decoder_.head().table();
  ag::sum(hidden).backward();
  const Tensor from_lookup = table.gradient();
  EXPECT_FALSE(same_bits(from_lookup, Tensor::zeros({11, 8})));
  // Rows that are not looked up get nothing from the lookup.
  EXPECT_TRUE(
      same_bits(from_lookup.view().slice(0, 2, 11), Tensor::zeros({9, 8})));
  decoder_.parameters().zero_grad();
  decoder_.loss({1}, {1, 1}, {2}).backward();
  for (std::size_t row = 0; row < 11; ++row) {
    EXPECT_NE(table.gradient().at({row, 0}), 0.0);
  }
}

TEST_F(DecoderModel, GivesTheSameBitsWithoutAGraph) {
  const auto context = ag::Context::no_grad();
  const ag::Variable free = decoder_.logits({1, 2, 3}, {1, 3}, context);
  EXPECT_FALSE(free.is_tracked());
  EXPECT_TRUE(same_bits(free.view(), logits({1, 2, 3}, {1, 3})));
}

TEST_F(DecoderModel, CarriesTheContextFromTheTokensToTheHead) {
  const auto context = ag::Context::no_grad().with_execution(
      ExecutionContext::cpu_with_precision(MatmulPrecision::Bf16F32));
  const nn::PreparedInput input =
      decoder_.encoder().encode({1, 2}, {1, 2}, context);
  EXPECT_FALSE(input.context.is_recording());
  EXPECT_FALSE(input.vectors.is_tracked());
  const nn::HiddenState hidden = decoder_.backbone().forward(input);
  EXPECT_FALSE(hidden.context.is_recording());
  EXPECT_EQ(hidden.context.execution().matmul_precision(),
            MatmulPrecision::Bf16F32);
  const ag::Variable logits_16 = decoder_.head().logits(hidden);
  EXPECT_FALSE(logits_16.is_tracked());
  EXPECT_FALSE(same_bits(logits_16.view(), logits({1, 2}, {1, 2})));
}

TEST_F(DecoderModel, TakesVectorsThatNoTokenMade) {
  const nn::PreparedInput input{ag::constant(spread({2, 3, 8}, -1, 1, 3)), {}};
  EXPECT_EQ(decoder_.head().logits(decoder_.backbone().forward(input)).shape(),
            (Shape{2, 3, 11}));
}

TEST_F(DecoderModel, IsSharedByItsCopies) {
  const nn::Decoder copy = decoder_;
  ag::Parameter gain = copy.parameters().at("final_norm.gain");
  gain.update(Tensor::full({8}, 2.0));
  EXPECT_TRUE(same_bits(copy.logits({1}, {1, 1}).view(), logits({1}, {1, 1})));
}

TEST_F(DecoderModel, WorksWithoutBlocks) {
  nn::DecoderConfig no_blocks = config();
  no_blocks.blocks = 0;
  nn::SplitMix64 generator(3);
  const nn::Decoder decoder(no_blocks, generator);
  EXPECT_EQ(decoder.logits({1, 2}, {1, 2}).shape(), (Shape{1, 2, 11}));
  EXPECT_EQ(decoder.parameters().entries().size(), 2u);
}

// Sums do not tell their operands apart, but the walk does: it meets what is
// on the left first. All three parameters are stale; the error names the
// operation that the walk found first.
TEST(DecoderBlock, AddsToTheIdentityPathOnTheLeft) {
  nn::DecoderConfig config;
  config.vocabulary = 2;
  config.width = 4;
  config.heads = 1;
  config.feed_forward_width = 4;
  config.position_capacity = 2;
  nn::SplitMix64 generator(2);
  const nn::DecoderBlock block(config.checked(), nn::initial_values(generator));
  nn::NamedParameters parameters;
  block.register_parameters("block", parameters);
  ag::Parameter input(spread({1, 2, 4}, -1, 1, 1));
  const ag::Variable x = ag::neg(input);
  const ag::Variable out =
      block.forward(x, nn::RotaryEmbedding(2, 4, 10000.0), {});
  const auto make_stale = [](ag::Parameter parameter) {
    parameter.update(parameter.value());
  };
  make_stale(input);
  make_stale(parameters.at("block.attention.output.weight"));
  make_stale(parameters.at("block.ffn.down.weight"));
  EXPECT_EQ(thrown_by<GraphError>([&] {
              out.backward(Tensor::ones({1, 2, 4}));
            }),
            "backward: parameter was updated since its value was used: neg "
            "used version 0, now it is 1");
}

}  // namespace
}  // namespace tandem::test
