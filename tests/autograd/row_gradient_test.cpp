// Functions of rows against finite differences.
#include <tandem/autograd/functions.h>

#include <cmath>

#include "support/finite_difference.h"

namespace tandem::autograd {
namespace {

using test::derivatives_agree;
using test::spread;
using Operands = std::vector<Variable>;

testing::AssertionResult agrees(const test::Differentiable& function,
                                const Shape& shape) {
  return derivatives_agree(function, {spread(shape, -2, 2, 50)});
}

TEST(SoftmaxGradient, AgreesAlongEachAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_TRUE(agrees([=](const Operands& in) { return softmax(in[0], axis); },
                       {2, 3, 4}));
    EXPECT_TRUE(
        agrees([=](const Operands& in) { return log_softmax(in[0], axis); },
               {2, 3, 4}));
  }
}

TEST(SoftmaxGradient, AgreesForExtentsOfOneAndZero) {
  for (const Shape& shape : {Shape{1}, Shape{2, 1}, Shape{0, 3}, Shape{3, 0}}) {
    const std::size_t axis = shape.rank() - 1;
    EXPECT_TRUE(agrees([=](const Operands& in) { return softmax(in[0], axis); },
                       shape));
    EXPECT_TRUE(agrees(
        [=](const Operands& in) { return log_softmax(in[0], axis); }, shape));
  }
}

TEST(SoftmaxGradient, AgreesForViewsAndSharedNodes) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return softmax(transpose(in[0], 0, 1), 1) *
               log_softmax(transpose(in[0], 0, 1), 0);
      },
      {2, 3}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return softmax(broadcast_to(slice(in[0], 0, 1, 2), {3, 4}), 1);
      },
      {2, 4}));
}

TEST(CausalSoftmaxGradient, AgreesForMatricesAndBatches) {
  const auto f = [](const Operands& in) { return causal_softmax(in[0]); };
  EXPECT_TRUE(agrees(f, {1, 1}));
  EXPECT_TRUE(agrees(f, {4, 4}));
  EXPECT_TRUE(agrees(f, {2, 1, 3, 3}));
  EXPECT_TRUE(agrees(f, {0, 3, 3}));
}

TEST(CausalSoftmaxGradient, AgreesForViewsAndSharedNodes) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        const Variable scores = transpose(in[0], 0, 1);
        return causal_softmax(scores) * scores;
      },
      {3, 3}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return causal_softmax(broadcast_to(in[0], {2, 3, 3}));
      },
      {1, 3}));
}

TEST(GatherGradient, AgreesForRepeatedAndUnusedRows) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return gather_rows(in[0], {2, 0, 2, 2}, {2, 2});
      },
      {4, 3}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) { return gather_rows(in[0], {0}, {}); }, {1, 1}));
}

TEST(GatherGradient, AgreesForEmptyIndicesRowsAndWidths) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) { return gather_rows(in[0], {}, {0}); }, {3, 2}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) { return gather_rows(in[0], {}, {0}); }, {0, 2}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return gather_rows(in[0], {1, 1}, {2});
      },
      {3, 0}));
}

TEST(GatherGradient, AgreesForViewsAndSharedTables) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        const Variable table = transpose(in[0], 0, 1);
        const Variable rows = gather_rows(table, {1, 2}, {2});
        return matmul_with_transpose(rows, table, false, true);
      },
      {2, 3}));
}

struct Tables {
  Tensor cosines;
  Tensor sines;
};

Tables tables(std::size_t capacity, std::size_t pairs) {
  const Tensor angles = spread({capacity, pairs}, -3, 3, 51);
  std::vector<double> cosines, sines;
  for (const double angle : angles.values()) {
    cosines.push_back(std::cos(angle));
    sines.push_back(std::sin(angle));
  }
  return {Tensor(angles.shape(), cosines), Tensor(angles.shape(), sines)};
}

TEST(RotaryGradient, AgreesFromEachFirstPosition) {
  const auto [cosines, sines] = tables(5, 2);
  for (std::size_t first = 0; first < 3; ++first) {
    EXPECT_TRUE(agrees(
        [&, cosines = cosines, sines = sines](const Operands& in) {
          return rotary_pairs(in[0], cosines, sines, first);
        },
        {2, 3, 4}));
  }
}

TEST(RotaryGradient, AgreesForViewsSharedNodesAndNoTokens) {
  const auto [cosines, sines] = tables(4, 1);
  const auto rotate = [cosines = cosines, sines = sines](const Variable& x) {
    return rotary_pairs(x, cosines, sines);
  };
  EXPECT_TRUE(agrees(
      [&](const Operands& in) {
        const Variable x = transpose(in[0], 0, 1);
        return rotate(x) * x;
      },
      {2, 4}));
  EXPECT_TRUE(agrees(
      [&](const Operands& in) {
        return rotate(broadcast_to(in[0], {2, 3, 2}));
      },
      {3, 1}));
  EXPECT_TRUE(
      agrees([&](const Operands& in) { return rotate(in[0]); }, {0, 2}));
}

TEST(NllGradient, AgreesAlongEachAxis) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return indexed_mean_nll(in[0], 2, {3, 0, 1, 1, 2, 0});
      },
      {2, 3, 4}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return indexed_mean_nll(in[0], 1, {0, 1, 2, 2, 1, 0, 0, 1});
      },
      {2, 3, 4}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) { return indexed_mean_nll(in[0], 0, {2}); }, {3}));
}

TEST(NllGradient, AgreesForOneClassViewsAndSharedLogits) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return indexed_mean_nll(in[0], 1, {0, 0});
      },
      {2, 1}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        const Variable logits = transpose(in[0], 0, 1);
        return indexed_mean_nll(logits, 1, {1, 0, 1}) +
               indexed_mean_nll(logits, 0, {2, 2});
      },
      {2, 3}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return indexed_mean_nll(broadcast_to(in[0], {3, 4}), 1, {0, 3, 3});
      },
      {4}));
}

}  // namespace
}  // namespace tandem::autograd
