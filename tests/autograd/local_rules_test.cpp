// The bits of each local rule, against loops written out here.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/bits.h"
#include "support/finite_difference.h"

namespace tandem::autograd {
namespace {

using test::same_bits;
using test::spread;
using Values = std::vector<double>;

// The gradient of x through `function` from `seed`.
template <class Function>
Tensor gradient_of(const Tensor& x, const Tensor& seed, Function function) {
  Parameter parameter(x);
  function(Variable(parameter)).backward(seed);
  return parameter.gradient();
}

// One contribution per element, from x and g.
template <class Rule>
Tensor map(const Tensor& x, const Tensor& g, Rule rule) {
  Values result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back(0.0 + rule(x.values()[i], g.values()[i]));
  }
  return Tensor(x.shape(), result);
}

const Shape many{500};

TEST(LocalRule, OfExpMultipliesByTheOutput) {
  const Tensor x = spread(many, -5, 5, 1), g = spread(many, -2, 2, 2);
  EXPECT_TRUE(
      same_bits(gradient_of(x, g, [](const Variable& v) { return exp(v); }),
                map(x, g, [](double a, double b) { return b * std::exp(a); })));
}

TEST(LocalRule, OfLogDividesByTheInput) {
  const Tensor x = spread(many, 0.1, 5, 1), g = spread(many, -2, 2, 2);
  const Tensor actual =
      gradient_of(x, g, [](const Variable& v) { return log(v); });
  EXPECT_TRUE(
      same_bits(actual, map(x, g, [](double a, double b) { return b / a; })));
  EXPECT_FALSE(same_bits(
      actual, map(x, g, [](double a, double b) { return b * (1.0 / a); })));
}

double sigmoid_of(double x) {
  if (x >= 0.0) return 1.0 / (1.0 + std::exp(-x));
  return std::exp(x) / (1.0 + std::exp(x));
}

TEST(LocalRule, OfSiluGroupsItsFactors) {
  const Tensor x = spread(many, -5, 5, 1), g = spread(many, -2, 2, 2);
  const Tensor actual =
      gradient_of(x, g, [](const Variable& v) { return silu(v); });
  EXPECT_TRUE(same_bits(actual, map(x, g, [](double a, double b) {
                          const double s = sigmoid_of(a);
                          return b * (s * (1.0 + a * (1.0 - s)));
                        })));
  EXPECT_FALSE(same_bits(actual, map(x, g, [](double a, double b) {
                           const double s = sigmoid_of(a);
                           return (b * s) * (1.0 + a * (1.0 - s));
                         })));
}

TEST(LocalRule, OfMulMultipliesByTheOther) {
  const Tensor x = spread(many, -5, 5, 1), g = spread(many, -2, 2, 2);
  const Tensor other = spread(many, -3, 3, 3);
  const auto rule = [&](const Variable& v) { return constant(other) * v; };
  Values expected;
  for (std::size_t i = 0; i < x.size(); ++i) {
    expected.push_back(g.values()[i] * other.values()[i]);
  }
  EXPECT_TRUE(same_bits(gradient_of(x, g, rule), many, expected));
}

// x [3, 1] against other [2, 3, 4]: all of the outer axis and the last one is
// summed. In the order of `visit(outer, row, column)`.
Values broadcast_sums(const Tensor& g, const Tensor& other, bool row_major) {
  Values sums(3, 0.0);
  const auto term = [&](std::size_t i, std::size_t j, std::size_t k) {
    const std::size_t at = (i * 3 + j) * 4 + k;
    return g.values()[at] * other.values()[at];
  };
  for (std::size_t j = 0; j < 3; ++j) {
    if (row_major) {
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 4; ++k) sums[j] += term(i, j, k);
      }
      continue;
    }
    double lane[4] = {0, 0, 0, 0};  // one axis after the other
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < 4; ++k) lane[k] += term(i, j, k);
    }
    for (const double value : lane) sums[j] += value;
  }
  return sums;
}

TEST(LocalRule, OfMulSumsBroadcastAxesInOneRowMajorPass) {
  const Tensor x = spread({3, 1}, -2, 2, 4);
  const Tensor other = spread({2, 3, 4}, -2, 2, 5);
  const Tensor g = spread({2, 3, 4}, -2, 2, 6);
  for (const bool left : {true, false}) {
    const Tensor actual = gradient_of(x, g, [&](const Variable& v) {
      return left ? v * constant(other) : constant(other) * v;
    });
    EXPECT_TRUE(same_bits(actual, {3, 1}, broadcast_sums(g, other, true)));
    EXPECT_FALSE(same_bits(actual, {3, 1}, broadcast_sums(g, other, false)));
  }
}

TEST(LocalRule, OfMeanDividesByTheCount) {
  const Tensor x = spread({2, 49}, -2, 2, 7), g = spread({2}, -2, 2, 8);
  const Tensor actual =
      gradient_of(x, g, [](const Variable& v) { return mean_axis(v, 1); });
  Values divided, multiplied;
  for (std::size_t i = 0; i < x.size(); ++i) {
    divided.push_back(g.values()[i / 49] / 49.0);
    multiplied.push_back(g.values()[i / 49] * (1.0 / 49.0));
  }
  EXPECT_TRUE(same_bits(actual, {2, 49}, divided));
  EXPECT_FALSE(same_bits(actual, {2, 49}, multiplied));
}

// Each row's reverse from probabilities p and upstream g over a prefix.
Values causal_reverse(const Tensor& p, const Tensor& g, bool ascending) {
  const std::size_t tokens = p.shape()[0];
  Values result(tokens * tokens, 0.0);
  for (std::size_t i = 0; i < tokens; ++i) {
    double total = 0.0;
    for (std::size_t step = 0; step <= i; ++step) {
      const std::size_t j = i * tokens + (ascending ? step : i - step);
      total += g.values()[j] * p.values()[j];
    }
    for (std::size_t k = 0; k <= i; ++k) {
      const std::size_t j = i * tokens + k;
      result[j] = p.values()[j] * (g.values()[j] - total) + 0.0;
    }
  }
  return result;
}

TEST(LocalRule, OfCausalSoftmaxSumsAscending) {
  const Tensor x = spread({24, 24}, -3, 3, 9), g = spread({24, 24}, -2, 2, 10);
  const Tensor p = causal_softmax(constant(x)).value();
  const Tensor actual =
      gradient_of(x, g, [](const Variable& v) { return causal_softmax(v); });
  EXPECT_TRUE(same_bits(actual, x.shape(), causal_reverse(p, g, true)));
  EXPECT_FALSE(same_bits(actual, x.shape(), causal_reverse(p, g, false)));
}

TEST(LocalRule, OfCausalSoftmaxHasNoNegativeZero) {
  // One key has probability 1 and slope 1 (g - g) = 0.
  const Tensor actual =
      gradient_of(Tensor({2, 2}, {1, 2, 3, 4}), Tensor({2, 2}, {-1, 5, -2, -2}),
                  [](const Variable& v) { return causal_softmax(v); });
  EXPECT_TRUE(same_bits(actual.at({0, 0}), 0.0));
  EXPECT_TRUE(same_bits(actual.at({0, 1}), 0.0));
}

struct Nll {
  Tensor logits;
  std::vector<std::size_t> targets;
  double upstream;
};

enum class Grouping { specified, divided_last, logarithmic };

Values nll_reverse(const Nll& loss, Grouping grouping) {
  const std::size_t groups = loss.targets.size();
  const std::size_t classes = loss.logits.shape()[1];
  const auto count = static_cast<double>(groups);
  Values result;
  for (std::size_t group = 0; group < groups; ++group) {
    const double* row = loss.logits.values().data() + group * classes;
    const double* top = std::max_element(row, row + classes);
    double tail = 0.0;
    for (const double* x = row; x != row + classes; ++x) {
      if (x != top) tail += std::exp(*x - *top);
    }
    for (std::size_t i = 0; i < classes; ++i) {
      const double p = grouping == Grouping::logarithmic
                           ? std::exp(row[i] - *top - std::log1p(tail))
                           : std::exp(row[i] - *top) / (1.0 + tail);
      const double gap = p - (i == loss.targets[group] ? 1.0 : 0.0);
      result.push_back((grouping == Grouping::divided_last
                            ? gap * loss.upstream / count
                            : gap * (loss.upstream / count)) +
                       0.0);
    }
  }
  return result;
}

TEST(LocalRule, OfNllGroupsItsFactors) {
  const Nll loss{spread({7, 30}, -3, 3, 11), {0, 29, 3, 3, 17, 8, 1}, 1.3};
  const Tensor actual = gradient_of(
      loss.logits, Tensor::scalar(loss.upstream),
      [&](const Variable& v) { return indexed_mean_nll(v, 1, loss.targets); });
  const Shape shape{7, 30};
  EXPECT_TRUE(same_bits(actual, shape, nll_reverse(loss, Grouping::specified)));
  EXPECT_FALSE(
      same_bits(actual, shape, nll_reverse(loss, Grouping::divided_last)));
  EXPECT_FALSE(
      same_bits(actual, shape, nll_reverse(loss, Grouping::logarithmic)));
}

TEST(LocalRule, OfNllHasNoNegativeZero) {
  // The other class has probability 0; a negative upstream would sign it.
  const Tensor actual = gradient_of(
      Tensor({1, 2}, {0, -800}), Tensor::scalar(-1),
      [](const Variable& v) { return indexed_mean_nll(v, 1, {0}); });
  EXPECT_TRUE(same_bits(actual, {1, 2}, {0.0, 0.0}));
}

TEST(LocalRule, OfGatherAddsUsesAmongThemselvesFirst) {
  constexpr double big = 0x1p53;
  Parameter table(Tensor({2, 1}, {1, 1}));
  const Variable rows = gather_rows(table, {1, 1}, {2});
  // The last operand contributes first: big; then the two rows' 1 + 1.
  (sum(rows) + sum(table * constant(big))).backward();
  EXPECT_TRUE(same_bits(table.gradient(), {2, 1}, {big, big + 2.0}));
  EXPECT_NE(big + 2.0, (big + 1.0) + 1.0);
}

TEST(LocalRule, OfGatherAddsUsesAscending) {
  constexpr double big = 0x1p53;
  const Tensor actual =
      gradient_of(Tensor({1, 1}, {1}), Tensor({3, 1}, {big, -big, 1}),
                  [](const Variable& v) {
                    return gather_rows(v, {0, 0, 0}, {3});
                  });
  EXPECT_EQ(actual.item(), 1.0);
}

TEST(LocalRule, OfRotaryPairsIsTheInverseRotation) {
  const Tensor x = spread({3, 2}, -2, 2, 12), g = spread({3, 2}, -2, 2, 13);
  const Tensor angles = spread({3, 1}, -3, 3, 14);
  Values cosines, sines, expected;
  for (std::size_t t = 0; t < 3; ++t) {
    const double c = std::cos(angles.values()[t]);
    const double s = std::sin(angles.values()[t]);
    const double l = g.values()[2 * t], r = g.values()[2 * t + 1];
    cosines.push_back(c);
    sines.push_back(s);
    expected.push_back((l * c + r * s) + 0.0);
    expected.push_back((r * c - l * s) + 0.0);
  }
  const Tensor actual = gradient_of(x, g, [&](const Variable& v) {
    return rotary_pairs(v, Tensor({3, 1}, cosines), Tensor({3, 1}, sines));
  });
  EXPECT_TRUE(same_bits(actual, {3, 2}, expected));
}

// c[i][j] = sum over k, ascending, of a(i, k) b(k, j)
template <class A, class B>
Values product(std::size_t rows, std::size_t inner, std::size_t columns, A a,
               B b) {
  Values result;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < inner; ++k) sum += a(i, k) * b(k, j);
      result.push_back(sum);
    }
  }
  return result;
}

TEST(LocalRule, OfMatmulIsTwoProductsWithInnerIndexAscending) {
  const std::size_t m = 5, k = 7, n = 9;
  const Tensor a = spread({m, k}, -2, 2, 15), w = spread({k, n}, -2, 2, 16);
  const Tensor g = spread({m, n}, -2, 2, 17);
  const auto at = [](const Tensor& matrix) {
    return [&matrix](std::size_t i, std::size_t j) {
      return matrix.at({i, j});
    };
  };
  const auto transposed = [](const Tensor& matrix) {
    return [&matrix](std::size_t i, std::size_t j) {
      return matrix.at({j, i});
    };
  };
  EXPECT_TRUE(same_bits(
      gradient_of(a, g,
                  [&](const Variable& v) { return matmul(v, constant(w)); }),
      {m, k}, product(m, n, k, at(g), transposed(w))));
  EXPECT_TRUE(same_bits(
      gradient_of(w, g,
                  [&](const Variable& v) { return matmul(constant(a), v); }),
      {k, n}, product(k, m, n, transposed(a), at(g))));
}

TEST(LocalRule, OfMatmulSumsRepeatedBatchesAscending) {
  const Tensor w = spread({1, 1}, -2, 2, 18);
  const Tensor a = spread({60, 1, 1}, -2, 2, 19);
  const Tensor g = spread({60, 1, 1}, -2, 2, 20);
  double ascending = 0.0, descending = 0.0;
  for (std::size_t i = 0; i < 60; ++i) {
    ascending += a.values()[i] * g.values()[i];
    descending += a.values()[59 - i] * g.values()[59 - i];
  }
  const Tensor actual = gradient_of(
      w, g, [&](const Variable& v) { return matmul(constant(a), v); });
  EXPECT_TRUE(same_bits(actual.item(), ascending));
  EXPECT_NE(ascending, descending);
}

}  // namespace
}  // namespace tandem::autograd
