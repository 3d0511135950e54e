// The descriptors of products, reductions, element-wise functions, joins and
// broadcast sums: what they hold, and their checks in order.
#include <gtest/gtest.h>
#include <tandem/ops/operation.h>
#include <tandem/tensor/error.h>

#include <string>

#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::thrown_by;

constexpr std::size_t big = std::size_t{1} << 32;

TensorView shaped(const Shape& shape) {
  return TensorView(1.0).broadcast_to(shape);
}

std::string product_error(const Shape& left, const Shape& right,
                          bool transpose_left = false,
                          bool transpose_right = false) {
  return thrown_by<ShapeError>([&] {
    MatmulPlan::make(shaped(left), shaped(right), transpose_left,
                     transpose_right);
  });
}

TEST(MatmulPlan, HoldsSizesAndStridesOfPackedMatrices) {
  const auto plan =
      MatmulPlan::make(Tensor::zeros({2, 3}), Tensor::zeros({3, 4}));
  EXPECT_EQ(plan.output_shape(), (Shape{2, 4}));
  EXPECT_EQ(plan.output_size(), 8u);
  EXPECT_EQ(plan.rows(), 2u);
  EXPECT_EQ(plan.columns(), 4u);
  EXPECT_EQ(plan.inner_size(), 3u);
  EXPECT_EQ(plan.batch_rank(), 0u);
  EXPECT_EQ(plan.batch_count(), 1u);
  EXPECT_EQ(plan.left_cell_strides(), (Strides{3, 0}));
  EXPECT_EQ(plan.right_cell_strides(), (Strides{0, 1}));
  EXPECT_EQ(plan.left_inner_stride(), 1);
  EXPECT_EQ(plan.right_inner_stride(), 4);
}

TEST(MatmulPlan, SwapsTheFinalTwoAxesWithAFlag) {
  const auto plan = MatmulPlan::make(Tensor::zeros({3, 2}),
                                     Tensor::zeros({4, 3}), true, true);
  EXPECT_EQ(plan.output_shape(), (Shape{2, 4}));
  EXPECT_EQ(plan.left_cell_strides(), (Strides{1, 0}));
  EXPECT_EQ(plan.right_cell_strides(), (Strides{0, 3}));
  EXPECT_EQ(plan.left_inner_stride(), 2);
  EXPECT_EQ(plan.right_inner_stride(), 1);
}

TEST(MatmulPlan, RepeatsMissingAndSingletonBatchAxesWithStrideZero) {
  const auto plan =
      MatmulPlan::make(Tensor::zeros({5, 1, 2, 3}), Tensor::zeros({4, 3, 2}));
  EXPECT_EQ(plan.output_shape(), (Shape{5, 4, 2, 2}));
  EXPECT_EQ(plan.batch_count(), 20u);
  EXPECT_EQ(plan.left_cell_strides(), (Strides{6, 0, 3, 0}));
  EXPECT_EQ(plan.right_cell_strides(), (Strides{0, 6, 0, 1}));
}

TEST(MatmulPlan, ChecksLeftRankFirst) {
  EXPECT_EQ(product_error({3}, {}),
            "matmul: left needs at least two axes: left is [3], right is []");
}

TEST(MatmulPlan, ChecksRightRankSecond) {
  EXPECT_EQ(product_error({2, 3}, {4}),
            "matmul: right needs at least two axes: left is [2, 3], right is "
            "[4]");
}

TEST(MatmulPlan, ChecksInnerExtentsBeforeTheBatch) {
  EXPECT_EQ(product_error({2, 2, 3}, {3, 4, 5}),
            "matmul: inner extents differ: left is [2, 2, 3], right is [3, 4, "
            "5]");
  EXPECT_EQ(product_error({2, 3}, {3, 4}, true),
            "matmul: inner extents differ: left is [2, 3] transposed, right is "
            "[3, 4]");
  EXPECT_EQ(product_error({2, 1}, {3, 4}),
            "matmul: inner extents differ: left is [2, 1], right is [3, 4]");
}

TEST(MatmulPlan, ChecksTheBatchBeforeOverflow) {
  EXPECT_EQ(product_error({2, big, 1}, {3, 1, big}),
            "matmul: shapes do not broadcast at axis 0: left is [2], right is "
            "[3]");
}

TEST(MatmulPlan, ChecksThatTheOutputCanBeCounted) {
  EXPECT_EQ(product_error({big, 1}, {1, big}),
            "matmul: element count overflows: shape is [4294967296, "
            "4294967296]");
  EXPECT_EQ(product_error({0, big, 1}, {0, 1, big}),
            "matmul: stride overflows: shape is [0, 4294967296, 4294967296]");
}

TEST(ReducePlan, HoldsGroupsAndTheAxis) {
  const auto plan =
      ReducePlan::make(Reduction::sum, Tensor::zeros({2, 3, 4}), 1);
  EXPECT_EQ(plan.output_shape(), (Shape{2, 4}));
  EXPECT_EQ(plan.group_shape(), (Shape{2, 4}));
  EXPECT_EQ(plan.group_strides(), (Strides{12, 1}));
  EXPECT_EQ(plan.axis_extent(), 3u);
  EXPECT_EQ(plan.axis_stride(), 4);
  const auto kept =
      ReducePlan::make(Reduction::max, Tensor::zeros({2, 3}), 0, true);
  EXPECT_EQ(kept.output_shape(), (Shape{1, 3}));
}

TEST(ReducePlan, ChecksTheAxisThenThatItIsNotEmpty) {
  const auto error = [](Reduction reduction, const Shape& shape,
                        std::size_t axis) {
    return thrown_by<ShapeError>(
        [&] { ReducePlan::make(reduction, shaped(shape), axis); });
  };
  EXPECT_EQ(error(Reduction::sum, {2, 3}, 2),
            "sum_axis: axis out of range: axis is 2, shape is [2, 3]");
  EXPECT_EQ(error(Reduction::mean, {0, 0}, 2),
            "mean_axis: axis out of range: axis is 2, shape is [0, 0]");
  EXPECT_EQ(error(Reduction::mean, {0, 0}, 1),
            "mean_axis: axis is empty: axis is 1, shape is [0, 0]");
  EXPECT_EQ(error(Reduction::max, {2, 0}, 1),
            "max_axis: axis is empty: axis is 1, shape is [2, 0]");
  EXPECT_EQ(error(Reduction::sum, {big, 0, big}, 1),
            "sum_axis: element count overflows: shape is [4294967296, "
            "4294967296]");
}

TEST(ElementwisePlan, BroadcastsItsOperands) {
  const auto plan = ElementwisePlan::make(
      Elementwise::add, {Tensor::zeros({2, 1}), Tensor::zeros({3})});
  EXPECT_EQ(plan.output_shape(), (Shape{2, 3}));
  EXPECT_EQ(plan.strides(0), (Strides{1, 0}));
  EXPECT_EQ(plan.strides(1), (Strides{0, 1}));
  EXPECT_STREQ(plan.name(), "add");
}

TEST(ElementwisePlan, ChecksTheCountThenTheShapesThenOverflow) {
  EXPECT_EQ(thrown_by<ShapeError>([] {
              ElementwisePlan::make(Elementwise::divide, {shaped({2})});
            }),
            "div: operand count differs: needs 2, given are 1");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              ElementwisePlan::make(Elementwise::multiply,
                                    {shaped({2, big, 1}), shaped({3, 1, big})});
            }),
            "mul: shapes do not broadcast at axis 0: left is [2, 4294967296, "
            "1], right is [3, 1, 4294967296]");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              ElementwisePlan::make(Elementwise::subtract,
                                    {shaped({big, 1}), shaped({1, big})});
            }),
            "sub: element count overflows: shape is [4294967296, 4294967296]");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              ElementwisePlan::make(
                  Elementwise::select,
                  {shaped({2}), shaped({1, 2}), shaped({4, 3})});
            }),
            "where: shapes do not broadcast at axis 1: left is [1, 2], right "
            "is [4, 3]");
}

TEST(ElementwisePlan, NamesEachFunctionAsItIsCalled) {
  const std::pair<Elementwise, const char*> names[] = {
      {Elementwise::negate, "neg"},      {Elementwise::absolute, "abs"},
      {Elementwise::exp, "exp"},         {Elementwise::log, "log"},
      {Elementwise::sqrt, "sqrt"},       {Elementwise::sin, "sin"},
      {Elementwise::cos, "cos"},         {Elementwise::tanh, "tanh"},
      {Elementwise::sigmoid, "sigmoid"}, {Elementwise::silu, "silu"},
      {Elementwise::relu, "relu"}};
  for (const auto& [function, name] : names) {
    EXPECT_STREQ(ElementwisePlan::make(function, {shaped({1})}).name(), name);
  }
  const std::pair<Elementwise, const char*> pairs[] = {
      {Elementwise::power, "pow"},
      {Elementwise::minimum, "minimum"},
      {Elementwise::maximum, "maximum"},
      {Elementwise::silu_reverse, "silu_reverse"},
      {Elementwise::relu_reverse, "relu_reverse"}};
  for (const auto& [function, name] : pairs) {
    EXPECT_STREQ(
        ElementwisePlan::make(function, {shaped({1}), shaped({1})}).name(),
        name);
  }
}

TEST(ConcatPlan, ChecksCountThenAxisThenShapesThenOverflow) {
  const auto error = [](const std::vector<TensorView>& operands,
                        std::size_t axis) {
    return thrown_by<ShapeError>([&] { ConcatPlan::make(operands, axis); });
  };
  EXPECT_EQ(error({}, 0), "concat: needs an operand: 0 given");
  EXPECT_EQ(error({shaped({2}), shaped({2, 2})}, 1),
            "concat: axis out of range: axis is 1, shape is [2]");
  EXPECT_EQ(error({shaped({2, 3}), shaped({2})}, 0),
            "concat: shapes differ off axis 0: first is [2, 3], another is "
            "[2]");
  EXPECT_EQ(error({shaped({2, 3}), shaped({2, 4})}, 0),
            "concat: shapes differ off axis 0: first is [2, 3], another is [2, "
            "4]");
  const std::size_t huge = std::size_t{1} << 59;
  EXPECT_EQ(error({shaped({huge}), shaped({huge})}, 0),
            "concat: element count overflows: shape is [1152921504606846976]");
}

TEST(SumToPlan, NeedsATargetThatBroadcastsToTheOperand) {
  const auto error = [](const Shape& shape, const Shape& target) {
    return thrown_by<ShapeError>(
        [&] { SumToPlan::make(shaped(shape), target); });
  };
  EXPECT_EQ(error({3}, {2, 3}),
            "sum_to: target does not broadcast: shape is [3], target is [2, "
            "3]");
  EXPECT_EQ(error({1, 3}, {2, 3}),
            "sum_to: target does not broadcast: shape is [1, 3], target is [2, "
            "3]");
  EXPECT_EQ(error({2, 3}, {2}),
            "sum_to: shapes do not broadcast at axis 1: left is [2, 3], right "
            "is [2]");
  EXPECT_EQ(SumToPlan::make(shaped({2, 3}), {3}).output_strides(),
            (Strides{0, 1}));
}

}  // namespace
}  // namespace tandem
