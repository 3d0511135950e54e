// Tiled attention against the dense path, outputs and gradients.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>
#include <tandem/nn/layers.h>
#include <tandem/tensor/error.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/finite_difference.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

namespace ag = autograd;

constexpr double relative = 1e-10;
constexpr double absolute = 1e-12;

// Values of the size that activations have.
Tensor activations(const Shape& shape, std::uint64_t seed) {
  nn::SplitMix64 generator(seed);
  std::vector<double> values(element_count(shape, "test"));
  for (double& value : values) value = 4.0 * generator.unit() - 2.0;
  return Tensor(shape, values);
}

// [lanes..., tokens, width]
Shape lane_shape(std::vector<std::size_t> lanes, std::size_t tokens,
                 std::size_t width) {
  lanes.insert(lanes.end(), {tokens, width});
  return Shape(lanes);
}

struct Operands {
  Operands(const std::vector<std::size_t>& lanes,
           const std::vector<std::size_t>& key_lanes, std::size_t tokens,
           std::size_t width, std::size_t value_width)
      : query(activations(lane_shape(lanes, tokens, width), 1)),
        key(activations(lane_shape(key_lanes, tokens, width), 2)),
        value(activations(lane_shape(key_lanes, tokens, value_width), 3)),
        upstream(activations(lane_shape(lanes, tokens, value_width), 4)) {}

  ag::Parameter query;
  ag::Parameter key;
  ag::Parameter value;
  Tensor upstream;
};

ag::Variable dense_attention(const ag::Variable& query, const ag::Variable& key,
                             const ag::Variable& value) {
  const Shape& shape = query.shape();
  const double scale =
      1.0 / std::sqrt(static_cast<double>(shape[shape.rank() - 1]));
  const auto scores = ag::matmul_with_transpose(query, key, false, true);
  return ag::matmul(ag::causal_softmax(ag::mul(scores, ag::constant(scale))),
                    value);
}

std::vector<Tensor> gradients(Operands& operands) {
  std::vector<Tensor> all;
  for (ag::Parameter* parameter :
       {&operands.query, &operands.key, &operands.value}) {
    all.push_back(parameter->gradient());
    parameter->zero_grad();
  }
  return all;
}

void expect_close(const Tensor& actual, const Tensor& expected,
                  const std::string& what) {
  EXPECT_TRUE(close_to(actual, expected.shape(), values_of(expected), relative,
                       absolute))
      << what;
}

// Every tiling of up to two more rows than there are tokens.
void compare_with_dense(Operands& operands) {
  const ag::Variable dense =
      dense_attention(operands.query, operands.key, operands.value);
  dense.backward(operands.upstream);
  const std::vector<Tensor> expected = gradients(operands);
  const std::size_t tokens = operands.query.shape()[dense.shape().rank() - 2];
  for (std::size_t query_rows = 1; query_rows <= tokens + 2; ++query_rows) {
    for (std::size_t key_rows = 1; key_rows <= tokens + 2; ++key_rows) {
      const std::string tiles =
          std::to_string(query_rows) + "x" + std::to_string(key_rows);
      const ag::Variable tiled = ag::tiled_attention(
          operands.query, operands.key, operands.value, {query_rows, key_rows});
      expect_close(tiled.value(), dense.value(), "output, tiles " + tiles);
      tiled.backward(operands.upstream);
      const std::vector<Tensor> actual = gradients(operands);
      for (std::size_t i = 0; i < actual.size(); ++i) {
        expect_close(actual[i], expected[i],
                     "gradient " + std::to_string(i) + ", tiles " + tiles);
      }
    }
  }
}

TEST(TiledAttention, GivesTheWorkedExampleForAnyTiling) {
  const Tensor query({3, 1}, {1, 1, 1});
  const Tensor key({3, 1}, {0, std::log(2.0), std::log(4.0)});
  const Tensor value({3, 1}, {1, 3, 5});
  for (std::size_t query_rows = 1; query_rows <= 4; ++query_rows) {
    for (std::size_t key_rows = 1; key_rows <= 4; ++key_rows) {
      const Tensor output =
          tiled_attention(query, key, value, {query_rows, key_rows});
      EXPECT_TRUE(
          close_to(output, {3, 1}, {1.0, 7.0 / 3.0, 27.0 / 7.0}, 1e-15, 0.0));
    }
  }
}

TEST(TiledAttention, EqualsTheDensePathForOneLane) {
  for (const std::size_t tokens : {1u, 2u, 3u, 8u, 13u}) {
    Operands operands({}, {}, tokens, 4, 4);
    compare_with_dense(operands);
  }
}

TEST(TiledAttention, EqualsTheDensePathForBatchesAndHeads) {
  Operands operands({2, 3}, {2, 3}, 9, 6, 6);
  compare_with_dense(operands);
}

TEST(TiledAttention, EqualsTheDensePathWhereHeadsShareKeysAndValues) {
  Operands operands({2, 2, 3}, {2, 2, 1}, 7, 4, 4);
  compare_with_dense(operands);
}

TEST(TiledAttention, EqualsTheDensePathWhereAllLanesShareKeysAndValues) {
  Operands operands({2, 3}, {}, 5, 2, 2);
  compare_with_dense(operands);
}

TEST(TiledAttention, EqualsTheDensePathForWidthsThatDiffer) {
  Operands wide_value({2}, {2}, 6, 2, 5);
  compare_with_dense(wide_value);
  Operands wide_key({2}, {2}, 6, 5, 1);
  compare_with_dense(wide_key);
  Operands narrow({2}, {2}, 6, 1, 3);
  compare_with_dense(narrow);
}

TEST(TiledAttention, EqualsTheDensePathForManyTokens) {
  Operands operands({2}, {2}, 150, 16, 16);
  const ag::Variable dense =
      dense_attention(operands.query, operands.key, operands.value);
  dense.backward(operands.upstream);
  const std::vector<Tensor> expected = gradients(operands);
  for (const AttentionTiles tiles :
       {AttentionTiles{32, 64}, {64, 32}, {7, 150}, {150, 1}, {1000, 1000}}) {
    const ag::Variable tiled = ag::tiled_attention(operands.query, operands.key,
                                                   operands.value, tiles);
    expect_close(tiled.value(), dense.value(), "output");
    tiled.backward(operands.upstream);
    const std::vector<Tensor> actual = gradients(operands);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      expect_close(actual[i], expected[i], "gradient " + std::to_string(i));
    }
  }
}

TEST(TiledAttention, HasTheDerivativeOfItsFormula) {
  EXPECT_TRUE(derivatives_agree(
      [](const std::vector<ag::Variable>& x) {
        return ag::tiled_attention(x[0], x[1], x[2], {2, 3});
      },
      {spread({2, 2, 4, 2}, -1, 1, 1), spread({2, 1, 4, 2}, -1, 1, 2),
       spread({2, 1, 4, 3}, -1, 1, 3)}));
}

// The most that a child used while it ran `work`, in KiB.
template <class Work>
long peak_of(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  rusage usage{};
  int status = 0;
  EXPECT_EQ(wait4(child, &status, 0, &usage), child);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

TEST(TiledAttention, NeverStoresQueriesByKeys) {
  const std::size_t tokens = 2048;  // one such matrix would take 32 MiB
  const long idle = peak_of([] {});
  const long working = peak_of([&] {
    Operands operands({}, {}, tokens, 4, 4);
    const auto context = ag::Context::recording().with_execution(
        ExecutionContext::cpu({.threads = 1}));
    ag::tiled_attention(operands.query, operands.key, operands.value, {32, 32},
                        context)
        .backward(operands.upstream, ag::Graph::retain, context.execution());
  });
  EXPECT_LT(working - idle, 16 * 1024);
}

TEST(TiledAttention, ReadsViewsOfAnyStride) {
  const Tensor base = activations({9, 4, 6}, 5);  // [tokens, width, lanes]
  const TensorView query = base.view().permute({2, 0, 1}).reverse(1);
  const TensorView key = base.view().permute({2, 0, 1}).reverse(2);
  const TensorView value = base.view().permute({2, 0, 1}).slice(2, 0, 4, 3);
  EXPECT_TRUE(same_bits(tiled_attention(query, key, value, {4, 2}),
                        tiled_attention(query.materialize(), key.materialize(),
                                        value.materialize(), {4, 2})));
}

TEST(TiledAttention, GivesTheSameBitsForAnyNumberOfThreads) {
  const Tensor x = activations({3, 40, 8}, 6);
  const Tensor expected =
      tiled_attention(x, x, x, {8, 16}, ExecutionContext::cpu({.threads = 1}));
  for (std::size_t threads = 2; threads <= 5; ++threads) {
    EXPECT_TRUE(same_bits(
        tiled_attention(x, x, x, {8, 16}, ExecutionContext::cpu({threads})),
        expected));
  }
}

TEST(TiledAttention, SurvivesScoresWhoseExponentialsOverflow) {
  const Tensor query({4, 1}, {1, 1, 1, 1});
  const Tensor key({4, 1}, {-2000, 3000, 1000, 3000});
  const Tensor value({4, 1}, {1, 2, 3, 4});
  for (const std::size_t rows : {1u, 2u, 3u, 4u}) {
    EXPECT_TRUE(same_bits(tiled_attention(query, key, value, {rows, rows}),
                          {4, 1}, {1, 2, 2, 3}));
  }
}

TEST(TiledAttention, NamesTheRowWhoseScoresAreNotFinite) {
  const Tensor query({2, 1}, {1, 1e200});
  const Tensor key({2, 1}, {1e200, 1});
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              tiled_attention(query, key, key, {1, 1});
            }),
            NonfiniteError("tiled_attention", 1,
                           std::numeric_limits<double>::infinity(),
                           "greatest score of row")
                .what());
}

TEST(TiledAttention, GivesNothingForNoLanes) {
  const Tensor x = Tensor::zeros({0, 3, 2});
  EXPECT_EQ(tiled_attention(x, x, x, {2, 2}).shape(), (Shape{0, 3, 2}));
}

TEST(TiledAttention, LeavesNoGraphWhereNothingIsRecorded) {
  const ag::Parameter x(activations({3, 2}, 7));
  EXPECT_FALSE(ag::tiled_attention(x, x, x, {2, 2}, ag::Context::no_grad())
                   .is_tracked());
}

TEST(TiledAttention, AddsUpWhatOneNodeGetsFromThreeUses) {
  ag::Parameter x(activations({5, 2}, 8));
  const Tensor upstream = activations({5, 2}, 9);
  dense_attention(x, x, x).backward(upstream);
  const Tensor expected = x.gradient();
  x.zero_grad();
  ag::tiled_attention(x, x, x, {2, 2}).backward(upstream);
  expect_close(x.gradient(), expected, "gradient");
}

std::string rejected(const Shape& query, const Shape& key, const Shape& value,
                     const AttentionTiles& tiles = {1, 1}) {
  return thrown_by<ShapeError>([&] {
    tiled_attention(Tensor::zeros(query), Tensor::zeros(key),
                    Tensor::zeros(value), tiles);
  });
}

TEST(TiledAttention, RejectsWhatDoesNotFit) {
  EXPECT_EQ(rejected({3}, {3, 2}, {3, 2}),
            "tiled_attention: operands need at least two axes: query is [3], "
            "key [3, 2], value [3, 2]");
  EXPECT_EQ(rejected({3, 2}, {3, 4}, {3, 2}),
            "tiled_attention: widths differ: query is [3, 2], key [3, 4], "
            "value [3, 2]");
  EXPECT_EQ(rejected({3, 2}, {4, 2}, {4, 2}),
            "tiled_attention: queries and keys differ: query is [3, 2], key "
            "[4, 2], value [4, 2]");
  EXPECT_EQ(rejected({3, 2}, {3, 2}, {4, 2}),
            "tiled_attention: keys and values differ: query is [3, 2], key "
            "[3, 2], value [4, 2]");
  EXPECT_EQ(rejected({2, 3, 2}, {2, 3, 2}, {3, 2}),
            "tiled_attention: lanes of key and value differ: query is "
            "[2, 3, 2], key [2, 3, 2], value [3, 2]");
  EXPECT_EQ(rejected({2, 3, 2}, {3, 3, 2}, {3, 3, 2}),
            "tiled_attention: lanes of key do not broadcast to those of "
            "query: query is [2, 3, 2], key [3, 3, 2], value [3, 3, 2]");
  EXPECT_EQ(rejected({0, 2}, {0, 2}, {0, 2}),
            "tiled_attention: needs at least one token: query is [0, 2], key "
            "[0, 2], value [0, 2]");
  EXPECT_EQ(rejected({3, 0}, {3, 0}, {3, 2}),
            "tiled_attention: width is 0: query is [3, 0], key [3, 0], value "
            "[3, 2]");
}

TEST(TiledAttention, RejectsTilesOfNoRows) {
  EXPECT_EQ(
      rejected({3, 2}, {3, 2}, {3, 2}, {0, 4}),
      "tiled_attention: tiles must be positive: 0 query rows, 4 key rows");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              ExecutionContext().with_tiled_attention({3, 0});
            }),
            "with_tiled_attention: tiles must be positive: 3 query rows, 0 key "
            "rows");
}

class TiledLayer : public testing::Test {
 protected:
  static nn::DecoderConfig config() {
    nn::DecoderConfig config;
    config.vocabulary = 5;
    config.width = 8;
    config.heads = 4;
    config.key_value_heads = 2;
    config.feed_forward_width = 8;
    config.position_capacity = 6;
    return config.checked();
  }

  static ag::Context tiled(std::size_t query_rows, std::size_t key_rows) {
    return ag::Context::recording().with_execution(
        ExecutionContext().with_tiled_attention({query_rows, key_rows}));
  }

  nn::SplitMix64 generator_{11};
  const nn::CausalAttention attention_{config(),
                                       nn::initial_values(generator_)};
  const nn::RotaryEmbedding rotary_{6, 2, 10000.0};
  const ag::Variable x_ = ag::constant(activations({2, 6, 8}, 10));
};

TEST_F(TiledLayer, RunsTiledWhereOnlyTheOutputIsAsked) {
  const Tensor dense = attention_.forward(x_, rotary_, {}).value();
  bool rounds_differently = false;
  for (std::size_t query_rows = 1; query_rows <= 7; ++query_rows) {
    for (std::size_t key_rows = 1; key_rows <= 7; ++key_rows) {
      const Tensor output =
          attention_.forward(x_, rotary_, tiled(query_rows, key_rows)).value();
      expect_close(output, dense, "output");
      rounds_differently = rounds_differently || !same_bits(output, dense);
    }
  }
  EXPECT_TRUE(rounds_differently) << "the tiles were never used";
}

TEST_F(TiledLayer, KeepsTheDensePathWhereTheWeightsAreAsked) {
  const auto dense = attention_.inspect(x_, rotary_, {});
  const auto inspected = attention_.inspect(x_, rotary_, tiled(2, 2));
  EXPECT_TRUE(same_bits(inspected.output.view(), dense.output.view()));
  EXPECT_TRUE(same_bits(inspected.weights.view(), dense.weights.view()));
}

}  // namespace
}  // namespace tandem::test
