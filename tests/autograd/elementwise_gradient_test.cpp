// Elementwise functions against finite differences: one suite over every
// function, one test a form of operand.
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>

#include "support/finite_difference.h"

namespace tandem::autograd {
namespace {

using test::derivatives_agree;
using test::spread;
using Unary = Variable (*)(const Variable&, const Context&);
using Binary = Variable (*)(const Variable&, const Variable&, const Context&);
using Operands = std::vector<Variable>;

struct UnaryCase {
  const char* name;
  Unary function;
  double low;
  double high;
};

std::ostream& operator<<(std::ostream& stream, const UnaryCase& test) {
  return stream << test.name;
}

class UnaryGradient : public testing::TestWithParam<UnaryCase> {
 protected:
  Tensor input(const Shape& shape) const {
    return spread(shape, GetParam().low, GetParam().high, 7);
  }
  Variable apply_to(const Variable& x) const {
    return GetParam().function(x, {});
  }
};

TEST_P(UnaryGradient, AgreesForEachRank) {
  const auto f = [&](const Operands& in) { return apply_to(in[0]); };
  EXPECT_TRUE(derivatives_agree(f, {input({})}));
  EXPECT_TRUE(derivatives_agree(f, {input({1})}));
  EXPECT_TRUE(derivatives_agree(f, {input({7})}));
  EXPECT_TRUE(derivatives_agree(f, {input({2, 3})}));
  EXPECT_TRUE(derivatives_agree(f, {input({1, 2, 1, 3})}));
}

TEST_P(UnaryGradient, IsEmptyForAnEmptyOperand) {
  const auto f = [&](const Operands& in) { return apply_to(in[0]); };
  EXPECT_TRUE(derivatives_agree(f, {input({0})}));
  EXPECT_TRUE(derivatives_agree(f, {input({2, 0, 3})}));
}

TEST_P(UnaryGradient, AgreesForViews) {
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) { return apply_to(transpose(in[0], 0, 1)); },
      {input({2, 3})}));
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) { return apply_to(slice(in[0], 1, 1, 3)); },
      {input({2, 4})}));
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) {
        return apply_to(broadcast_to(in[0], {2, 3, 2}));
      },
      {input({3, 1})}));
}

TEST_P(UnaryGradient, AgreesWhereTheResultIsUsedTwice) {
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) {
        const Variable y = apply_to(in[0]);
        return y * y + y;
      },
      {input({2, 2})}));
}

INSTANTIATE_TEST_SUITE_P(
    Functions, UnaryGradient,
    testing::Values(
        UnaryCase{"neg", neg, -2, 2}, UnaryCase{"exp", exp, -2, 2},
        UnaryCase{"log", log, 0.5, 3}, UnaryCase{"sqrt", sqrt, 0.5, 3},
        UnaryCase{"tanh", tanh, -2, 2}, UnaryCase{"sigmoid", sigmoid, -4, 4},
        UnaryCase{"silu", silu, -4, 4}, UnaryCase{"relu_above", relu, 0.1, 3},
        UnaryCase{"relu_below", relu, -3, -0.1}),
    [](const auto& instance) { return std::string(instance.param.name); });

struct BinaryCase {
  const char* name;
  Binary function;
};

std::ostream& operator<<(std::ostream& stream, const BinaryCase& test) {
  return stream << test.name;
}

class BinaryGradient : public testing::TestWithParam<BinaryCase> {
 protected:
  testing::AssertionResult agrees(const Shape& left, const Shape& right) const {
    return derivatives_agree(
        [&](const Operands& in) { return apply_to(in[0], in[1]); },
        {spread(left, 0.5, 2, 3), spread(right, 0.5, 2, 4)});
  }
  Variable apply_to(const Variable& a, const Variable& b) const {
    return GetParam().function(a, b, {});
  }
};

TEST_P(BinaryGradient, AgreesForEqualShapes) {
  EXPECT_TRUE(agrees({}, {}));
  EXPECT_TRUE(agrees({1}, {1}));
  EXPECT_TRUE(agrees({5}, {5}));
  EXPECT_TRUE(agrees({2, 3, 2}, {2, 3, 2}));
}

TEST_P(BinaryGradient, AgreesWhereOneOperandIsBroadcast) {
  EXPECT_TRUE(agrees({2, 3}, {}));
  EXPECT_TRUE(agrees({}, {2, 3}));
  EXPECT_TRUE(agrees({2, 3}, {3}));
  EXPECT_TRUE(agrees({3}, {2, 3}));
  EXPECT_TRUE(agrees({2, 3}, {2, 1}));
  EXPECT_TRUE(agrees({1, 1, 3}, {2, 2, 3}));
  EXPECT_TRUE(agrees({2, 3, 2}, {1, 3, 1}));
}

TEST_P(BinaryGradient, AgreesWhereBothOperandsAreBroadcast) {
  EXPECT_TRUE(agrees({2, 1}, {1, 3}));
  EXPECT_TRUE(agrees({2, 1, 3, 1}, {4, 1, 2}));
}

TEST_P(BinaryGradient, IsEmptyOrZeroForEmptyResults) {
  EXPECT_TRUE(agrees({0}, {0}));
  EXPECT_TRUE(agrees({2, 0}, {1}));
  EXPECT_TRUE(agrees({1, 3}, {0, 3}));
  EXPECT_TRUE(agrees({0, 1}, {1, 3}));
}

TEST_P(BinaryGradient, AgreesForViews) {
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) {
        return apply_to(transpose(in[0], 0, 1), slice(in[1], 1, 1, 3));
      },
      {spread({2, 3}, 0.5, 2, 5), spread({3, 4}, 0.5, 2, 6)}));
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) {
        return apply_to(broadcast_to(in[0], {2, 3}), in[1]);
      },
      {spread({2, 1}, 0.5, 2, 5), spread({2, 3}, 0.5, 2, 6)}));
}

TEST_P(BinaryGradient, AgreesWithAConstantView) {
  const Tensor base = spread({4, 6}, 0.5, 2, 9);
  const Variable view =
      constant(base.view().slice(1, 0, 6, 2).reverse(0).slice(0, 1, 4));
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) {
        return apply_to(apply_to(in[0], view), apply_to(view, in[0]));
      },
      {spread({3, 3}, 0.5, 2, 8)}));
}

TEST_P(BinaryGradient, AgreesWhereBothOperandsAreOneNode) {
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) { return apply_to(in[0], in[0]); },
      {spread({2, 3}, 0.5, 2, 10)}));
  EXPECT_TRUE(derivatives_agree(
      [&](const Operands& in) {
        return apply_to(in[0], transpose(in[0], 0, 1));
      },
      {spread({3, 3}, 0.5, 2, 11)}));
}

INSTANTIATE_TEST_SUITE_P(
    Functions, BinaryGradient,
    testing::Values(BinaryCase{"add", add}, BinaryCase{"sub", sub},
                    BinaryCase{"mul", mul}, BinaryCase{"div", div}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Operators, DifferentiateAsTheFunctionsTheyStandFor) {
  EXPECT_TRUE(derivatives_agree(
      [](const Operands& in) {
        return (in[0] + in[1]) * in[1] - (-in[0]) / in[1];
      },
      {spread({2, 1}, 0.5, 2, 12), spread({3}, 0.5, 2, 13)}));
}

TEST(Relu, HasNoDerivativeAtZero) {
  Parameter x(Tensor({3}, {-1, 0, 2}));
  sum(relu(x)).backward();
  EXPECT_EQ(x.gradient().at({1}), 0.0);
  EXPECT_EQ(x.gradient().at({2}), 1.0);
}

}  // namespace
}  // namespace tandem::autograd
