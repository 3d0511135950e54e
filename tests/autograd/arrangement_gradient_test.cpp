// Functions that only move values, against finite differences.
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>

#include "support/finite_difference.h"

namespace tandem::autograd {
namespace {

using test::derivatives_agree;
using test::spread;
using Operands = std::vector<Variable>;

// Squares the result, so that each element has a slope of its own.
testing::AssertionResult agrees(const test::Differentiable& arrange,
                                const std::vector<Shape>& shapes) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    inputs.push_back(spread(shapes[i], -2, 2, 20 + i));
  }
  return derivatives_agree(
      [&](const Operands& in) {
        const Variable y = arrange(in);
        return y * y;
      },
      inputs);
}

TEST(ReshapeGradient, AgreesForPackedOperands) {
  const auto to = [](const Shape& shape) {
    return [=](const Operands& in) { return reshape(in[0], shape); };
  };
  EXPECT_TRUE(agrees(to({3, 2}), {{2, 3}}));
  EXPECT_TRUE(agrees(to({}), {{1, 1}}));
  EXPECT_TRUE(agrees(to({1, 1}), {{}}));
  EXPECT_TRUE(agrees(to({4, 0}), {{0, 2}}));
}

TEST(ReshapeGradient, AgreesForViews) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return reshape(transpose(in[0], 0, 1), {2, 3});
      },
      {{2, 3}}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return reshape(broadcast_to(in[0], {3, 2}), {6});
      },
      {{1, 2}}));
}

TEST(TransposeGradient, AgreesForEachPairOfAxes) {
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_TRUE(
          agrees([=](const Operands& in) { return transpose(in[0], a, b); },
                 {{2, 3, 4}}))
          << a << ' ' << b;
    }
  }
  EXPECT_TRUE(agrees([](const Operands& in) { return transpose(in[0], 0, 1); },
                     {{0, 3}}));
}

TEST(PermuteGradient, AgreesForACycleOfAxes) {
  const auto cycle = [](const Operands& in) {
    return permute(in[0], {2, 0, 1});
  };
  EXPECT_TRUE(agrees(cycle, {{2, 3, 4}}));
  EXPECT_TRUE(agrees(cycle, {{1, 3, 1}}));
  EXPECT_TRUE(agrees(cycle, {{2, 0, 4}}));
}

TEST(BroadcastGradient, AddsUpWhatWasRepeated) {
  const auto to = [](const Shape& shape) {
    return [=](const Operands& in) { return broadcast_to(in[0], shape); };
  };
  EXPECT_TRUE(agrees(to({2, 3}), {{}}));
  EXPECT_TRUE(agrees(to({2, 3}), {{3}}));
  EXPECT_TRUE(agrees(to({2, 3, 4}), {{2, 1, 4}}));
  EXPECT_TRUE(agrees(to({2, 3, 4, 2}), {{3, 1, 2}}));
  EXPECT_TRUE(agrees(to({2, 3}), {{2, 3}}));
}

TEST(BroadcastGradient, IsZeroWhereNothingWasRepeated) {
  Parameter x(Tensor({1, 2}, {5, 6}));
  sum(broadcast_to(x, {0, 2})).backward();
  EXPECT_EQ(x.gradient().at({0, 0}), 0.0);
  EXPECT_EQ(x.gradient().at({0, 1}), 0.0);
}

TEST(SliceGradient, AgreesAtBothEndsInTheMiddleAndForNothing) {
  const auto take = [](std::size_t start, std::size_t end) {
    return [=](const Operands& in) { return slice(in[0], 1, start, end); };
  };
  EXPECT_TRUE(agrees(take(0, 2), {{2, 4, 2}}));
  EXPECT_TRUE(agrees(take(2, 4), {{2, 4, 2}}));
  EXPECT_TRUE(agrees(take(1, 3), {{2, 4, 2}}));
  EXPECT_TRUE(agrees(take(0, 4), {{2, 4, 2}}));
  EXPECT_TRUE(agrees(take(2, 2), {{2, 4, 2}}));
  EXPECT_TRUE(agrees(take(0, 0), {{2, 0}}));
}

TEST(SliceGradient, AgreesForViewsAndOverlappingSlices) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        const Variable x = transpose(in[0], 0, 1);
        return slice(x, 0, 0, 2) + slice(x, 0, 1, 3);
      },
      {{2, 3}}));
}

TEST(ConcatGradient, GivesEachOperandItsPart) {
  const auto along = [](std::size_t axis) {
    return [=](const Operands& in) { return concat(in, axis); };
  };
  EXPECT_TRUE(agrees(along(0), {{2, 3}, {1, 3}}));
  EXPECT_TRUE(agrees(along(1), {{2, 3}, {2, 1}, {2, 2}}));
  EXPECT_TRUE(agrees(along(1), {{2, 3}, {2, 0}, {2, 2}}));
  EXPECT_TRUE(agrees(along(0), {{3}}));
}

TEST(ConcatGradient, AgreesForViewsAndRepeatedNodes) {
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return concat({in[0], transpose(in[0], 0, 1), in[0]}, 1);
      },
      {{2, 2}}));
  EXPECT_TRUE(agrees(
      [](const Operands& in) {
        return concat(
            {broadcast_to(in[0], {2, 3}), constant(Tensor::ones({1, 3}))}, 0);
      },
      {{1, 3}}));
}

}  // namespace
}  // namespace tandem::autograd
