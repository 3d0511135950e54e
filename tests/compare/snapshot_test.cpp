// The snapshot of the decoder fixture: what is in it, and where it comes from.
#include <gtest/gtest.h>
#include <tandem/compare/snapshot.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <bit>

#include "compare/planted_backend.h"
#include "support/libm_probe.h"
#include "support/thrown_message.h"

namespace tandem::compare {
namespace {

nn::Decoder fixture_model() {
  const DecoderFixture fixture = decoder_fixture();
  nn::SplitMix64 generator(fixture.seed);
  return nn::Decoder(fixture.config, generator);
}

Snapshot fixture_snapshot(const ExecutionContext& execution = {}) {
  return take_snapshot(fixture_model(), decoder_fixture().input, execution);
}

std::vector<double> list(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

TEST(DecoderFixture, IsTheTextAbAsBytes) {
  const DecoderFixture fixture = decoder_fixture();
  EXPECT_EQ(fixture.seed, 39U);
  EXPECT_EQ(fixture.document, (std::vector<TokenId>{0, 99, 100, 1}));
  EXPECT_EQ(fixture.input.tokens, (std::vector<TokenId>{0, 99, 100}));
  EXPECT_EQ(fixture.input.targets, (std::vector<TokenId>{99, 100, 1}));
  EXPECT_EQ(fixture.input.shape, (Shape{1, 3}));
  EXPECT_EQ(fixture.config.vocabulary, 258U);
}

TEST(TinyArithmetic, IsWhatOneComputesByHand) {
  const TinyArithmetic tiny = tiny_arithmetic();
  EXPECT_EQ(list(tiny.matrix), (std::vector<double>{58, 64, 139, 154}));
  EXPECT_EQ(tiny.matrix.shape(), (Shape{2, 2}));
  EXPECT_EQ(list(tiny.sums), (std::vector<double>{6, 15}));
  EXPECT_EQ(list(tiny.means), (std::vector<double>{2, 5}));
}

TEST(Snapshot, HasTheShapesOfTheFixture) {
  const Snapshot snapshot = fixture_snapshot();
  EXPECT_EQ(snapshot.logits.shape(), (Shape{1, 3, 258}));
  EXPECT_EQ(snapshot.loss.shape(), (Shape{}));
}

TEST(Snapshot, HasTheLossOfTheFixture) {
  const double loss = fixture_snapshot().loss.item();
  EXPECT_NEAR(loss, 5.668398842431571, 1e-9);
  if (test::golden_bits_hold()) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(loss), 0x4016ac70bf03b620U);
  }
}

TEST(Snapshot, CountsTheTiedTableOnce) {
  const Snapshot snapshot = fixture_snapshot();
  EXPECT_EQ(snapshot.parameter_count, 1372U);
  EXPECT_TRUE(snapshot.is_table_tied);
  std::size_t scalars = 0;
  for (const auto& gradient : snapshot.gradients) {
    scalars += gradient.value.size();
  }
  EXPECT_EQ(scalars, 1372U);
}

TEST(Snapshot, HoldsEveryGradientInRegistryOrder) {
  const nn::Decoder model = fixture_model();
  const Snapshot snapshot = take_snapshot(model, decoder_fixture().input);
  ASSERT_EQ(snapshot.gradients.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto& [name, parameter] = model.parameters().entries()[i];
    EXPECT_EQ(snapshot.gradients[i].name, name);
    EXPECT_EQ(list(snapshot.gradients[i].value), list(parameter.gradient()));
  }
}

TEST(Snapshot, ClearsTheGradientsBeforeIt) {
  const nn::Decoder model = fixture_model();
  const auto first = take_snapshot(model, decoder_fixture().input);
  const auto second = take_snapshot(model, decoder_fixture().input);
  for (std::size_t i = 0; i < first.gradients.size(); ++i) {
    EXPECT_EQ(list(first.gradients[i].value), list(second.gradients[i].value));
  }
}

TEST(Snapshot, LeavesTheParametersAsTheyWere) {
  const nn::Decoder model = fixture_model();
  const nn::Decoder fresh = fixture_model();
  take_snapshot(model, decoder_fixture().input);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(list(model.parameters().entries()[i].parameter.value()),
              list(fresh.parameters().entries()[i].parameter.value()));
  }
}

TEST(Snapshot, CountsNoNativeWorkOnTheCpu) {
  EXPECT_EQ(fixture_snapshot().stats, ExecutionStats{});
}

TEST(Snapshot, CountsItsOwnNativeWorkAlone) {
  const auto execution = test::planted_context();
  execution.matmul(Tensor::ones({2, 2}), Tensor::ones({2, 2}));
  EXPECT_EQ(fixture_snapshot(execution).stats, (ExecutionStats{65, 520, 65}));
}

TEST(Snapshot, NamesAllItsTensors) {
  const auto tensors = named_tensors(fixture_snapshot());
  ASSERT_EQ(tensors.size(), 25U);
  EXPECT_EQ(tensors[0].name, "tiny.matrix");
  EXPECT_EQ(tensors[3].name, "logits");
  EXPECT_EQ(tensors[4].name, "loss");
  EXPECT_EQ(tensors[5].name, "gradient.token_embedding.weight");
  EXPECT_EQ(tensors[24].name, "gradient.final_norm.gain");
}

// A fault in any one request must not go unseen.
TEST(Snapshot, DiffersWhereverOneRequestIsWrong) {
  const auto reference = named_tensors(fixture_snapshot());
  for (std::size_t spoiled = 0; spoiled < 65; ++spoiled) {
    const auto spoiled_snapshot =
        named_tensors(fixture_snapshot(test::planted_context(spoiled, 0.01)));
    EXPECT_FALSE(compare(reference, spoiled_snapshot).passed) << spoiled;
  }
}

TEST(RandomInput, DrawsRowsWhoseTargetsAreTheNextTokens) {
  nn::SplitMix64 generator(7);
  const DecoderInput input = random_input(50, {3, 4}, generator);
  EXPECT_EQ(input.shape, (Shape{3, 4}));
  ASSERT_EQ(input.tokens.size(), 12U);
  ASSERT_EQ(input.targets.size(), 12U);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i + 1 < 4; ++i) {
      EXPECT_EQ(input.targets[row * 4 + i], input.tokens[row * 4 + i + 1]);
    }
  }
  EXPECT_LT(*std::max_element(input.tokens.begin(), input.tokens.end()), 50U);
  EXPECT_LT(*std::max_element(input.targets.begin(), input.targets.end()), 50U);
}

TEST(RandomInput, DrawsOneValueATokenAndOneMoreARow) {
  nn::SplitMix64 generator(7);
  nn::SplitMix64 counted(7);
  const DecoderInput input = random_input(50, {3, 4}, generator);
  EXPECT_EQ(input.tokens[0], counted.next() % 50);
  for (int draw = 1; draw < 15; ++draw) counted.next();
  EXPECT_EQ(generator.state(), counted.state());
}

TEST(RandomInput, RejectsWhatNoTokenCanBeDrawnFor) {
  nn::SplitMix64 generator(7);
  EXPECT_EQ(test::thrown_by<ModelError>([&] {
              random_input(0, {1, 1}, generator);
            }),
            "random_input: vocabulary must be positive: 0");
  EXPECT_EQ(
      test::thrown_by<ModelError>([&] { random_input(5, {3}, generator); }),
      "random_input: shape must be [batch, tokens]: [3]");
  EXPECT_EQ(generator.state(), 7U);
}

}  // namespace
}  // namespace tandem::compare
