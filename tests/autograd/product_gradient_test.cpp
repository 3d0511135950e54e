// Products and reductions against finite differences.
#include <tandem/autograd/functions.h>

#include "support/finite_difference.h"

namespace tandem::autograd {
namespace {

using test::derivatives_agree;
using test::spread;
using Operands = std::vector<Variable>;

testing::AssertionResult product_agrees(const Shape& left, const Shape& right,
                                        bool transpose_left = false,
                                        bool transpose_right = false) {
  return derivatives_agree(
      [=](const Operands& in) {
        return matmul_with_transpose(in[0], in[1], transpose_left,
                                     transpose_right);
      },
      {spread(left, -2, 2, 30), spread(right, -2, 2, 31)});
}

TEST(MatmulGradient, AgreesForEachPairOfFlags) {
  EXPECT_TRUE(product_agrees({2, 3}, {3, 4}, false, false));
  EXPECT_TRUE(product_agrees({3, 2}, {3, 4}, true, false));
  EXPECT_TRUE(product_agrees({2, 3}, {4, 3}, false, true));
  EXPECT_TRUE(product_agrees({3, 2}, {4, 3}, true, true));
}

TEST(MatmulGradient, AgreesForEachPairOfFlagsOverBroadcastBatches) {
  EXPECT_TRUE(product_agrees({2, 1, 2, 3}, {3, 3, 4}, false, false));
  EXPECT_TRUE(product_agrees({2, 1, 3, 2}, {3, 3, 4}, true, false));
  EXPECT_TRUE(product_agrees({2, 1, 2, 3}, {3, 4, 3}, false, true));
  EXPECT_TRUE(product_agrees({2, 1, 3, 2}, {3, 4, 3}, true, true));
  EXPECT_TRUE(product_agrees({2, 3}, {2, 2, 3, 1}));
  EXPECT_TRUE(product_agrees({2, 2, 3}, {3, 2}));
}

TEST(MatmulGradient, AgreesForExtentsOfOne) {
  EXPECT_TRUE(product_agrees({1, 1}, {1, 1}));
  EXPECT_TRUE(product_agrees({1, 3}, {3, 1}));
  EXPECT_TRUE(product_agrees({3, 1}, {1, 3}));
  EXPECT_TRUE(product_agrees({1, 2, 2}, {1, 2, 2}));
}

TEST(MatmulGradient, IsEmptyOrZeroForEmptyExtents) {
  EXPECT_TRUE(product_agrees({0, 3}, {3, 2}));
  EXPECT_TRUE(product_agrees({2, 0}, {0, 3}));
  EXPECT_TRUE(product_agrees({2, 3}, {3, 0}));
  EXPECT_TRUE(product_agrees({0, 2, 3}, {3, 2}));
  EXPECT_TRUE(product_agrees({0, 2, 3}, {1, 3, 2}));
}

TEST(MatmulGradient, AgreesForViews) {
  EXPECT_TRUE(derivatives_agree(
      [](const Operands& in) {
        return matmul(transpose(in[0], 0, 1), slice(in[1], 1, 1, 3));
      },
      {spread({3, 2}, -2, 2, 32), spread({3, 4}, -2, 2, 33)}));
  EXPECT_TRUE(derivatives_agree(
      [](const Operands& in) {
        return matmul(broadcast_to(in[0], {2, 3}), in[1]);
      },
      {spread({1, 3}, -2, 2, 34), spread({3, 2}, -2, 2, 35)}));
}

TEST(MatmulGradient, AgreesWhereBothOperandsAreOneNode) {
  EXPECT_TRUE(
      derivatives_agree([](const Operands& in) { return matmul(in[0], in[0]); },
                        {spread({3, 3}, -2, 2, 36)}));
  EXPECT_TRUE(derivatives_agree(
      [](const Operands& in) {
        return matmul_with_transpose(in[0], in[0], true, false);
      },
      {spread({2, 3}, -2, 2, 37)}));
}

enum class Kind { sum, mean };

class ReductionGradient : public testing::TestWithParam<Kind> {
 protected:
  static Variable reduce(const Variable& x, std::size_t axis, bool keep_dim) {
    return GetParam() == Kind::sum ? sum_axis(x, axis, keep_dim)
                                   : mean_axis(x, axis, keep_dim);
  }
  // Squared before and after, so that each element has a slope of its own.
  static testing::AssertionResult agrees(const Shape& shape, std::size_t axis,
                                         bool keep_dim) {
    return derivatives_agree(
        [=](const Operands& in) {
          const Variable y = reduce(in[0] * in[0], axis, keep_dim);
          return y * y;
        },
        {spread(shape, -2, 2, 40)});
  }
};

TEST_P(ReductionGradient, AgreesAlongEachAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_TRUE(agrees({2, 3, 4}, axis, false)) << axis;
    EXPECT_TRUE(agrees({2, 3, 4}, axis, true)) << axis;
  }
}

TEST_P(ReductionGradient, AgreesForExtentsOfOneAndNoGroups) {
  EXPECT_TRUE(agrees({1}, 0, false));
  EXPECT_TRUE(agrees({3, 1}, 1, true));
  EXPECT_TRUE(agrees({0, 3}, 1, false));
  EXPECT_TRUE(agrees({0, 3}, 1, true));
}

TEST_P(ReductionGradient, AgreesForViews) {
  EXPECT_TRUE(derivatives_agree(
      [](const Operands& in) {
        const Variable y = reduce(transpose(in[0], 0, 1), 1, false);
        return y *
               reduce(broadcast_to(slice(in[0], 0, 1, 2), {3, 3}), 0, false);
      },
      {spread({2, 3}, -2, 2, 41)}));
}

TEST_P(ReductionGradient, AgreesOverAllElements) {
  const auto over_all = [](const Operands& in) {
    const Variable x = in[0] * in[0];
    return GetParam() == Kind::sum ? sum(x) : mean(x);
  };
  EXPECT_TRUE(derivatives_agree(over_all, {spread({2, 3}, -2, 2, 42)}));
  EXPECT_TRUE(derivatives_agree(over_all, {spread({}, -2, 2, 43)}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReductionGradient,
                         testing::Values(Kind::sum, Kind::mean),
                         [](const auto& instance) {
                           return std::string(
                               instance.param == Kind::sum ? "sum" : "mean");
                         });

TEST(SumGradient, IsEmptyWhereNothingIsAdded) {
  EXPECT_TRUE(
      derivatives_agree([](const Operands& in) { return sum_axis(in[0], 0); },
                        {Tensor::zeros({0, 3})}));
  EXPECT_TRUE(derivatives_agree([](const Operands& in) { return sum(in[0]); },
                                {Tensor::zeros({2, 0})}));
}

}  // namespace
}  // namespace tandem::autograd
