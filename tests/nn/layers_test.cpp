// The layers on inputs whose results are known.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/execution/functions.h>
#include <tandem/nn/layers.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/finite_difference.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

namespace ag = autograd;

Tensor ones(const std::string&, const Shape& shape) {
  return Tensor::ones(shape);
}

nn::ParameterSource spread_values(std::uint64_t seed) {
  return [seed](const std::string& name, const Shape& shape) {
    return spread(shape, -1.0, 1.0, seed + name.size());
  };
}

ag::Context in(MatmulPrecision precision) {
  return ag::Context::recording().with_execution(
      ExecutionContext::cpu_with_precision(precision));
}

Tensor norm(const Tensor& x, double epsilon, const ag::Context& context = {}) {
  return nn::RmsNorm(x.shape()[x.rank() - 1], epsilon, ones)
      .forward(ag::constant(x), context)
      .value();
}

TEST(RmsNorm, AddsEpsilonToTheMeanSquareAsItIs) {
  std::vector<double> values(4096, 0.0);
  values[0] = 30.0;
  const Tensor out = norm(Tensor({1, 4096}, values), 1e-6);
  std::vector<double> expected(4096, 0.0);
  expected[0] = 63.99985436494155;
  EXPECT_TRUE(close_to(out, {1, 4096}, expected, 1e-14, 0.0));
}

TEST(RmsNorm, LeavesARowOfZerosZero) {
  EXPECT_TRUE(
      same_bits(norm(Tensor::zeros({1, 4}), 1e-6), Tensor::zeros({1, 4})));
}

TEST(RmsNorm, NamesTheRowThatHasNoScaleWithoutEpsilon) {
  EXPECT_EQ(thrown_by<ModelError>([] {
              norm(Tensor({1, 3, 2}, {1, 2, 0, 0, 0, 0}), 0.0);
            }),
            "rms_norm: mean square and epsilon are both 0: row 1");
}

TEST(RmsNorm, WorksWithoutEpsilonWhereNoRowIsZero) {
  EXPECT_TRUE(close_to(norm(Tensor({2, 2}, {3, 3, 0, -2}), 0.0), {2, 2},
                       {1, 1, 0, -std::sqrt(2.0)}, 1e-15, 0.0));
}

TEST(RmsNorm, ScalesEachColumnByItsGain) {
  const nn::RmsNorm layer(2, 0.0, [](const std::string&, const Shape&) {
    return Tensor({2}, {2, 10});
  });
  EXPECT_TRUE(
      close_to(layer.forward(ag::constant(Tensor({1, 2}, {3, 3})), {}).view(),
               {1, 2}, {2, 10}, 1e-15, 0.0));
}

TEST(RmsNorm, IsWiderThanA16BitPrecision) {
  const Tensor x =
      Tensor::full({1, 4}, 300.0);  // 300 squared is infinite there
  for (const auto precision :
       {MatmulPrecision::F16F32, MatmulPrecision::Bf16F32}) {
    EXPECT_TRUE(close_to(norm(x, 1e-6, in(precision)), {1, 4},
                         std::vector<double>(4, 0.9999999999944446), 1e-15,
                         0.0));
    EXPECT_TRUE(same_bits(norm(x, 1e-6, in(precision)), norm(x, 1e-6)));
  }
}

// What rms_norm stands for, step by step.
autograd::Variable composed(const autograd::Variable& x,
                            const autograd::Variable& gain, double epsilon) {
  const std::size_t last = x.shape().rank() - 1;
  const auto means = ag::mean_axis(ag::mul(x, x), last, true);
  const auto stable = ag::add(means, ag::constant(epsilon));
  const auto inverse = ag::exp(ag::mul(ag::log(stable), ag::constant(-0.5)));
  return ag::mul(ag::mul(x, inverse), gain);
}

TEST(RmsNorm, HasTheBitsOfTheStepsItStandsFor) {
  nn::SplitMix64 generator(7);
  for (const Shape& shape : {Shape{1, 1}, Shape{5, 3}, Shape{3, 41, 32}}) {
    const std::size_t width = shape[shape.rank() - 1];
    const std::size_t rows = element_count(shape, "test") / width;
    const Tensor values =
        nn::glorot_uniform(rows, width, generator).reshape(shape);
    const Tensor gains =
        nn::glorot_uniform(1, width, generator).reshape({width});
    const ag::Parameter x(values), gain(gains), y(values), same_gain(gains);
    // The residual shares x with the norm, so the order of its uses matters.
    const auto fused = ag::add(x, ag::rms_norm(x, gain, 1e-3));
    const auto steps = ag::add(y, composed(y, same_gain, 1e-3));
    EXPECT_TRUE(
        same_bits(fused.value(), steps.shape(), values_of(steps.value())));
    const Tensor seed =
        nn::glorot_uniform(rows, width, generator).reshape(shape);
    fused.backward(seed);
    steps.backward(seed);
    EXPECT_TRUE(same_bits(x.gradient(), shape, values_of(y.gradient())));
    EXPECT_TRUE(
        same_bits(gain.gradient(), {width}, values_of(same_gain.gradient())));
  }
}

TEST(RmsNorm, RefusesAMeanSquareThatOverflows) {
  EXPECT_EQ(thrown_by<NonfiniteError>([] {
              autograd::rms_norm(
                  autograd::constant(Tensor({2, 1}, {1.0, 1e200})),
                  autograd::constant(Tensor::ones({1})), 1e-6);
            }),
            "rms_norm: mean square is not finite: element 1 is inf");
}

TEST(RmsNorm, HasTheDerivativeOfItsFormula) {
  EXPECT_TRUE(derivatives_agree(
      [](const std::vector<ag::Variable>& x) {
        return nn::RmsNorm(3, 1e-3, ones).forward(x[0], {});
      },
      {spread({2, 3}, -1.0, 1.0, 1)}));
}

TEST(RotaryEmbedding, IsExactAtLargePositions) {
  const nn::RotaryEmbedding rotary(100004, 2, 10000.0);
  const ag::Variable x = ag::constant(Tensor({1, 2}, {1, 0}));
  EXPECT_TRUE(close_to(rotary.forward(x, {}, 15962).view(), {1, 2},
                       {-0.908015901251032, 0.41893570279372954}, 1e-14, 0.0));
  EXPECT_TRUE(close_to(rotary.forward(x, {}, 100003).view(), {1, 2},
                       {0.9843148301024515, -0.1764208469551775}, 1e-14, 0.0));
}

// The frequency is a power with a negative exponent, not the inverse of one.
TEST(RotaryEmbedding, RaisesTheBaseToANegativeExponent) {
  const double base = 500000.0;
  const std::size_t width = 128;
  const nn::RotaryEmbedding rotary(300, width, base);
  std::vector<double> cosines;
  std::vector<double> inverted;
  for (std::size_t position = 0; position < 300; ++position) {
    for (std::size_t pair = 0; pair < width / 2; ++pair) {
      const double exponent =
          -2.0 * static_cast<double>(pair) / static_cast<double>(width);
      const auto at = static_cast<double>(position);
      cosines.push_back(std::cos(at * std::pow(base, exponent)));
      inverted.push_back(std::cos(at * (1.0 / std::pow(base, -exponent))));
    }
  }
  EXPECT_TRUE(same_bits(rotary.cosines(), {300, width / 2}, cosines));
  EXPECT_FALSE(same_bits(rotary.cosines(), {300, width / 2}, inverted));
}

TEST(RotaryEmbedding, GivesTheSameBitsInEveryPrecision) {
  const nn::RotaryEmbedding rotary(4098, 2, 10000.0);
  const ag::Variable x = ag::constant(Tensor({1, 2}, {0.3, -0.7}));
  for (const std::size_t position : {2049u, 4097u}) {
    const Tensor expected = rotary.forward(x, {}, position).value();
    for (const auto precision :
         {MatmulPrecision::F16F32, MatmulPrecision::Bf16F32}) {
      EXPECT_TRUE(same_bits(rotary.forward(x, in(precision), position).view(),
                            expected));
    }
  }
}

TEST(RotaryEmbedding, HasNoNegativeZero) {
  const nn::RotaryEmbedding rotary(2, 2, 10000.0);
  const ag::Variable x = ag::constant(Tensor({1, 2}, {-0.0, -0.0}));
  EXPECT_TRUE(same_bits(rotary.sines().view().slice(0, 0, 1), {1, 1}, {0.0}));
  EXPECT_TRUE(same_bits(rotary.forward(x, {}).view(), {1, 2}, {0.0, 0.0}));
}

TEST(SwiGlu, GatesOneProjectionByAnother) {
  const nn::SwiGlu layer(1, 1, [](const std::string& name, const Shape& shape) {
    const double value = name == "gate.weight" ? 2.0
                         : name == "up.weight" ? 3.0
                                               : 5.0;
    return Tensor::full(shape, value);
  });
  // gate 1, up 1.5: silu(1) * 1.5 * 5
  EXPECT_TRUE(
      close_to(layer.forward(ag::constant(Tensor({1, 1}, {0.5})), {}).view(),
               {1, 1}, {7.5 / (1.0 + std::exp(-1.0))}, 1e-15, 0.0));
}

TEST(SwiGlu, HasTheDerivativeOfItsFormula) {
  EXPECT_TRUE(derivatives_agree(
      [](const std::vector<ag::Variable>& x) {
        return nn::SwiGlu(3, 2, spread_values(4)).forward(x[0], {});
      },
      {spread({2, 3}, -1.0, 1.0, 2)}));
}

class Attention : public testing::Test {
 protected:
  static nn::DecoderConfig config(std::size_t key_value_heads) {
    nn::DecoderConfig config;
    config.vocabulary = 2;
    config.width = 8;
    config.heads = 4;
    config.key_value_heads = key_value_heads;
    config.feed_forward_width = 1;
    config.position_capacity = 5;
    return config.checked();
  }

  const nn::RotaryEmbedding rotary_{5, 2, 10000.0};
  const ag::Variable x_ = ag::constant(spread({3, 5, 8}, -2.0, 2.0, 3));
};

TEST_F(Attention, ShowsTheWeightsOfEveryHead) {
  const nn::CausalAttention layer(config(4), spread_values(1));
  const auto [output, weights] = layer.inspect(x_, rotary_, {});
  EXPECT_TRUE(same_bits(output.view(), layer.forward(x_, rotary_, {}).view()));
  ASSERT_EQ(weights.shape(), (Shape{3, 4, 5, 5}));
  const Tensor sums = sum_axis(weights.view(), 3);
  EXPECT_TRUE(
      close_to(sums, {3, 4, 5}, std::vector<double>(60, 1.0), 1e-15, 0.0));
  for (std::size_t query = 0; query < 5; ++query) {
    for (std::size_t key = query + 1; key < 5; ++key) {
      EXPECT_TRUE(same_bits(weights.view().get({2, 3, query, key}), 0.0));
    }
  }
}

TEST_F(Attention, ShowsTheWeightsOfHeadsThatShareKeys) {
  const nn::CausalAttention layer(config(2), spread_values(1));
  EXPECT_EQ(layer.inspect(x_, rotary_, {}).weights.shape(),
            (Shape{3, 4, 5, 5}));
}

// Heads 0 and 1 read key/value head 0, heads 2 and 3 read 1.
TEST_F(Attention, SharesKeysAsIfTheyWereRepeated) {
  const auto grouped = spread_values(1);
  const nn::CausalAttention shared(config(2), grouped);
  const nn::CausalAttention repeated(
      config(4),
      [&](const std::string& name, const Shape& shape) -> nn::FirstValue {
        if (name != "key.weight" && name != "value.weight") {
          return grouped(name, shape);
        }
        const auto narrow = std::get<Tensor>(grouped(name, {8, 4}));
        return narrow.reshape({8, 2, 1, 2})
            .view()
            .broadcast_to({8, 2, 2, 2})
            .materialize()
            .reshape({8, 8});
      });
  const auto expected = repeated.inspect(x_, rotary_, {});
  const auto actual = shared.inspect(x_, rotary_, {});
  EXPECT_TRUE(same_bits(actual.output.view(), expected.output.view()));
  EXPECT_TRUE(same_bits(actual.weights.view(), expected.weights.view()));
}

TEST_F(Attention, GivesAllWeightToAnOnlyToken) {
  const nn::CausalAttention layer(config(4), spread_values(1));
  const ag::Variable x = ag::constant(spread({1, 1, 8}, -2.0, 2.0, 3));
  EXPECT_TRUE(same_bits(layer.inspect(x, rotary_, {}).weights.view(),
                        Tensor::ones({1, 4, 1, 1})));
}

TEST_F(Attention, HasTheDerivativeOfItsFormula) {
  EXPECT_TRUE(derivatives_agree(
      [&](const std::vector<ag::Variable>& x) {
        return nn::CausalAttention(config(2), spread_values(1))
            .forward(x[0], rotary_, {});
      },
      {spread({2, 3, 8}, -1.0, 1.0, 5)}));
}

}  // namespace
}  // namespace tandem::test
