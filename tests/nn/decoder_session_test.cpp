// Reading with a cache against the decoder, which computes everything anew.
#include <gtest/gtest.h>
#include <tandem/nn/decoder_session.h>
#include <tandem/tensor/error.h>

#include <numeric>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

using nn::DecoderSession;
using nn::LogitsOf;
using Tokens = std::vector<TokenId>;

nn::DecoderConfig small_config(std::size_t key_value_heads) {
  nn::DecoderConfig config;
  config.vocabulary = 13;
  config.width = 12;
  config.heads = 4;
  config.key_value_heads = key_value_heads;
  config.head_width = 6;
  config.feed_forward_width = 10;
  config.blocks = 2;
  config.position_capacity = 9;
  return config;
}

nn::Decoder small_decoder(std::size_t key_value_heads = 2) {
  nn::SplitMix64 generator(5);
  return nn::Decoder(small_config(key_value_heads), generator);
}

Tokens drawn(std::size_t count) {
  nn::SplitMix64 generator(count);
  Tokens tokens(count);
  for (TokenId& token : tokens) token = generator.next() % 13;
  return tokens;
}

// Columns [from, to) of each row of [batch, count].
Tokens columns(const Tokens& tokens, std::size_t batch, std::size_t from,
               std::size_t to) {
  const std::size_t count = tokens.size() / batch;
  Tokens some;
  for (std::size_t row = 0; row < batch; ++row) {
    for (std::size_t i = from; i < to; ++i) {
      some.push_back(tokens[row * count + i]);
    }
  }
  return some;
}

Tensor recomputed(const nn::Decoder& decoder, const Tokens& tokens,
                  std::size_t batch, const ExecutionContext& execution = {}) {
  return decoder
      .logits(tokens, {batch, tokens.size() / batch},
              autograd::Context::no_grad().with_execution(execution))
      .value();
}

// Reads the first `split` tokens at once and the others one by one.
void expect_split(const nn::Decoder& decoder, const Tokens& tokens,
                  std::size_t batch, std::size_t split) {
  SCOPED_TRACE("split at " + std::to_string(split));
  const std::size_t count = tokens.size() / batch;
  const TensorView expected = recomputed(decoder, tokens, batch);
  DecoderSession session(decoder, {batch, 0});
  EXPECT_TRUE(same_bits(session.read(columns(tokens, batch, 0, split)),
                        expected.slice(1, 0, split)));
  for (std::size_t i = split; i < count; ++i) {
    EXPECT_TRUE(same_bits(session.read(columns(tokens, batch, i, i + 1)),
                          expected.slice(1, i, i + 1)));
  }
  EXPECT_EQ(session.length(), count);
}

TEST(DecoderSession, GivesTheBitsOfFullRecomputationAtEverySplit) {
  for (const std::size_t key_value_heads : {1u, 2u, 4u}) {
    const nn::Decoder decoder = small_decoder(key_value_heads);
    for (std::size_t split = 1; split <= 9; ++split) {
      expect_split(decoder, drawn(9), 1, split);
    }
  }
}

TEST(DecoderSession, ReadsSeveralTextsSideBySide) {
  const nn::Decoder decoder = small_decoder();
  for (std::size_t split = 1; split <= 7; ++split) {
    expect_split(decoder, drawn(21), 3, split);
  }
}

TEST(DecoderSession, ReadsPiecesOfAnyLength) {
  const nn::Decoder decoder = small_decoder();
  const Tokens tokens = drawn(9);
  const TensorView expected = recomputed(decoder, tokens, 1);
  DecoderSession session(decoder);
  session.read(columns(tokens, 1, 0, 2));
  EXPECT_TRUE(same_bits(session.read(columns(tokens, 1, 2, 6)),
                        expected.slice(1, 2, 6)));
  EXPECT_TRUE(same_bits(session.read(columns(tokens, 1, 6, 9)),
                        expected.slice(1, 6, 9)));
}

TEST(DecoderSession, GivesTheLastTokensLogitsAlone) {
  const nn::Decoder decoder = small_decoder();
  const Tokens tokens = drawn(10);
  DecoderSession session(decoder, {2, 0});
  EXPECT_TRUE(same_bits(session.read(tokens, LogitsOf::last_token),
                        recomputed(decoder, tokens, 2).view().slice(1, 4, 5)));
}

// Products in another precision take tensors: the cache is copied for them.
TEST(DecoderSession, GivesTheSameBitsWhereProductsTakeTensors) {
  const nn::Decoder decoder = small_decoder();
  const auto execution =
      ExecutionContext::cpu_with_precision(MatmulPrecision::Bf16F32);
  const Tokens tokens = drawn(14);
  const TensorView expected = recomputed(decoder, tokens, 2, execution);
  for (std::size_t split = 1; split < 7; ++split) {
    DecoderSession session(decoder, {2, 0}, execution);
    EXPECT_TRUE(same_bits(session.read(columns(tokens, 2, 0, split)),
                          expected.slice(1, 0, split)));
    EXPECT_TRUE(same_bits(session.read(columns(tokens, 2, split, 7)),
                          expected.slice(1, split, 7)));
  }
}

TEST(DecoderSession, ForgetsWhatItIsRewoundOver) {
  const nn::Decoder decoder = small_decoder();
  const Tokens tokens = drawn(9);
  DecoderSession session(decoder);
  session.read({1, 2, 3, 4, 5});
  session.rewind(0);
  session.read(columns(tokens, 1, 0, 6));
  session.rewind(3);
  EXPECT_EQ(session.length(), 3u);
  EXPECT_TRUE(same_bits(session.read(columns(tokens, 1, 3, 9)),
                        recomputed(decoder, tokens, 1).view().slice(1, 3, 9)));
}

TEST(DecoderSession, UsesAHeadOfItsOwn) {
  nn::DecoderConfig config = small_config(2);
  config.tied_head = false;
  nn::SplitMix64 generator(7);
  const nn::Decoder decoder(config, generator);
  const Tokens tokens = drawn(4);
  EXPECT_TRUE(same_bits(DecoderSession(decoder).read(tokens),
                        recomputed(decoder, tokens, 1)));
}

TEST(DecoderSession, RefusesMoreThanItsCapacityAndReadsOn) {
  const nn::Decoder decoder = small_decoder();
  DecoderSession session(decoder, {1, 4});
  EXPECT_EQ(session.capacity(), 4u);
  session.read({1, 2, 3});
  EXPECT_EQ(thrown_by<ModelError>([&] {
              session.read({4, 5});
            }),
            "session: more tokens than there is room for: read are 3, given "
            "are 2, capacity is 4");
  EXPECT_TRUE(
      same_bits(session.read({4}),
                recomputed(decoder, {1, 2, 3, 4}, 1).view().slice(1, 3, 4)));
}

TEST(DecoderSession, RefusesWhatMakesNoSense) {
  const nn::Decoder decoder = small_decoder();
  EXPECT_EQ(thrown_by<ModelError>([&] {
              DecoderSession(decoder, {0, 0});
            }),
            "session: batch is empty");
  EXPECT_EQ(thrown_by<ModelError>([&] {
              DecoderSession(decoder, {1, 10});
            }),
            "session: capacity exceeds the positions: capacity is 10, "
            "positions are 9");
  DecoderSession session(decoder, {2, 0});
  EXPECT_EQ(thrown_by<ModelError>([&] { session.rewind(1); }),
            "session: cannot rewind forward: to 1, read are 0");
  EXPECT_EQ(thrown_by<ModelError>([&] { session.read({}); }),
            "tokens: there are no tokens: shape is [2, 0]");
  EXPECT_EQ(thrown_by<ModelError>([&] {
              session.read({1, 2, 3});
            }),
            "tokens: count differs from shape: given are 3: shape is [2, 1]");
}

TEST(DecoderSession, NamesAMeanSquareThatOverflows) {
  const nn::Decoder decoder = small_decoder();
  autograd::Parameter table = decoder.head().table();
  table.update(Tensor::full({13, 12}, 1e200));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              DecoderSession(decoder).read({1});
            }).substr(0, 9),
            "rms_norm:");
}

TEST(DecoderSession, NamesALogitThatIsNotFinite) {
  const nn::Decoder decoder = small_decoder();
  autograd::Parameter gain = decoder.parameters().at("final_norm.gain");
  gain.update(Tensor::full({12}, 1e308));
  autograd::Parameter table = decoder.head().table();
  table.update(Tensor::full({13, 12}, 10.0));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              DecoderSession(decoder).read({1});
            }).substr(0, 8),
            "session:");
}

}  // namespace
}  // namespace tandem::test
