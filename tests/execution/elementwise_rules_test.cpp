// Functions element by element, against the C library or hand values, over
// layouts and broadcasts; their NaN and signed zero rules.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/bits.h"
#include "support/operand_layouts.h"

namespace tandem {
namespace {

using test::all_layouts;
using test::make_operand;
using test::same_bits;
using test::TestValues;
using test::ValueKind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

using Unary = Tensor (*)(const TensorView&, const ExecutionContext&);
using Binary = Tensor (*)(const TensorView&, const TensorView&,
                          const ExecutionContext&);

void expect_unary(Unary function, double (*expected)(double)) {
  TestValues values(ValueKind::rounding, 1);
  for (const auto layout : all_layouts()) {
    const auto operand = make_operand(layout, {2, 5, 7}, values);
    std::vector<double> results;
    for (const double x : operand.values) results.push_back(expected(x));
    EXPECT_TRUE(same_bits(function(operand.view, {}), {2, 5, 7}, results))
        << to_string(layout);
  }
}

TEST(Elementwise, FunctionsOfOneOperandAreTheLibrarysInAnyLayout) {
  expect_unary(neg, [](double x) { return -x; });
  expect_unary(tandem::abs, [](double x) { return std::fabs(x); });
  expect_unary(tandem::exp, [](double x) { return std::exp(x); });
  expect_unary(tandem::log, [](double x) { return std::log(x); });
  expect_unary(tandem::sqrt, [](double x) { return std::sqrt(x); });
  expect_unary(tandem::sin, [](double x) { return std::sin(x); });
  expect_unary(tandem::cos, [](double x) { return std::cos(x); });
  expect_unary(tandem::tanh, [](double x) { return std::tanh(x); });
}

double plain_sigmoid(double x) {
  return x >= 0.0 ? 1.0 / (1.0 + std::exp(-x))
                  : std::exp(x) / (1.0 + std::exp(x));
}

TEST(Elementwise, SigmoidAndSiluUseTheFormThatCannotOverflow) {
  expect_unary(sigmoid, plain_sigmoid);
  expect_unary(silu, [](double x) { return x * plain_sigmoid(x); });
  EXPECT_TRUE(same_bits(sigmoid(Tensor({4}, {-1e4, 1e4, 0.0, -0.0})), {4},
                        {0.0, 1.0, 0.5, 0.5}));
}

TEST(Elementwise, SiluGivesPositiveZeros) {
  EXPECT_TRUE(
      same_bits(silu(Tensor({3}, {-0.0, -1e4, 0.0})), {3}, {0.0, 0.0, 0.0}));
}

TEST(Elementwise, SiluReverseKeepsItsGrouping) {
  TestValues values(ValueKind::rounding, 2);
  const Tensor x({500}, values.list(500));
  const Tensor g({500}, values.list(500));
  std::vector<double> expected;
  for (std::size_t i = 0; i < 500; ++i) {
    const double s = plain_sigmoid(x.at({i}));
    expected.push_back(g.at({i}) * (s * (1.0 + x.at({i}) * (1.0 - s))));
  }
  const Tensor actual = ExecutionContext().run(
      ElementwisePlan::make(Elementwise::silu_reverse, {x, g}), {x, g});
  EXPECT_TRUE(same_bits(actual, {500}, expected));
}

void expect_binary(Binary function, double (*expected)(double, double)) {
  TestValues values(ValueKind::rounding, 3);
  for (const auto layout : all_layouts()) {
    const auto a = make_operand(layout, {2, 3, 4}, values);
    const auto b = make_operand(layout, {3, 4}, values);
    std::vector<double> results;
    for (std::size_t i = 0; i < 24; ++i) {
      results.push_back(expected(a.values[i], b.values[i % 12]));
    }
    EXPECT_TRUE(same_bits(function(a.view, b.view, {}), {2, 3, 4}, results))
        << to_string(layout);
  }
}

TEST(Elementwise, FunctionsOfTwoBroadcastInAnyLayout) {
  expect_binary(add, [](double a, double b) { return a + b; });
  expect_binary(sub, [](double a, double b) { return a - b; });
  expect_binary(mul, [](double a, double b) { return a * b; });
  expect_binary(div, [](double a, double b) { return a / b; });
  expect_binary(tandem::pow, [](double a, double b) { return std::pow(a, b); });
  expect_binary(minimum, [](double a, double b) { return a < b ? a : b; });
  expect_binary(maximum, [](double a, double b) { return a > b ? a : b; });
}

TEST(Elementwise, BroadcastsBothOperandsAndEmptyOnes) {
  const Tensor column({2, 1}, {1, 2});
  const Tensor row({3}, {10, 20, 30});
  EXPECT_TRUE(same_bits(add(column, row), {2, 3}, {11, 21, 31, 12, 22, 32}));
  EXPECT_TRUE(
      same_bits(add(Tensor({2, 0}, {}), Tensor({1, 1}, {1})), {2, 0}, {}));
  EXPECT_TRUE(same_bits(add(1.0, 2.0), {}, {3.0}));
}

TEST(Elementwise, KeepsTheSignOfZeroInSumsAndProducts) {
  const Tensor zero({1}, {-0.0});
  EXPECT_TRUE(same_bits(add(zero, zero), {1}, {-0.0}));
  EXPECT_TRUE(same_bits(mul(zero, Tensor({1}, {1.0})), {1}, {-0.0}));
  EXPECT_TRUE(same_bits(neg(Tensor({1}, {0.0})), {1}, {-0.0}));
}

TEST(Elementwise, MinimumMaximumAndReluPassNanOn) {
  const Tensor a({3}, {nan, 1.0, nan});
  const Tensor b({3}, {1.0, nan, nan});
  EXPECT_TRUE(same_bits(minimum(a, b), {3}, {nan, nan, nan}));
  EXPECT_TRUE(same_bits(maximum(a, b), {3}, {nan, nan, nan}));
  EXPECT_TRUE(same_bits(relu(Tensor({4}, {nan, -1.0, -0.0, 2.0})), {4},
                        {nan, 0.0, 0.0, 2.0}));
}

TEST(Elementwise, WhereChoosesAndReadsNoArithmeticIntoTheOther) {
  const Tensor condition({4}, {1.0, 0.0, -0.0, nan});
  EXPECT_TRUE(same_bits(where(condition, 1.0, infinity), {4},
                        {1.0, infinity, infinity, 1.0}));
}

TEST(MaxAxis, KeepsTheEarlierOfEqualValuesAndTheFirstNan) {
  EXPECT_TRUE(same_bits(max_axis(Tensor({2, 2}, {-0.0, 0.0, 0.0, -0.0}), 1),
                        {2}, {-0.0, 0.0}));
  EXPECT_TRUE(same_bits(max_axis(Tensor({2, 3}, {1, nan, 2, nan, 3, 4}), 1),
                        {2}, {nan, nan}));
  EXPECT_TRUE(same_bits(max_axis(Tensor({2}, {-infinity, -infinity}), 0), {},
                        {-infinity}));
}

}  // namespace
}  // namespace tandem
