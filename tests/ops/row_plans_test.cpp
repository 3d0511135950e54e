// The descriptors that work on rows: softmax, look-up, rotation, loss. Their
// checks in order, with whole messages.
#include <gtest/gtest.h>
#include <tandem/ops/operation.h>
#include <tandem/tensor/error.h>

#include <memory>
#include <string>
#include <vector>

#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::thrown_by;

constexpr std::size_t big = std::size_t{1} << 32;

TensorView shaped(const Shape& shape) {
  return TensorView(1.0).broadcast_to(shape);
}

Indices indices(std::vector<std::size_t> values) {
  return std::make_shared<const std::vector<std::size_t>>(std::move(values));
}

std::string softmax_error(Softmax function,
                          std::initializer_list<TensorView> operands,
                          std::size_t axis) {
  return thrown_by<ShapeError>(
      [&] { SoftmaxPlan::make(function, operands, axis); });
}

TEST(SoftmaxPlan, NeedsItsCountOfOperands) {
  EXPECT_EQ(softmax_error(Softmax::softmax, {}, 0),
            "softmax: operand count differs: needs 1, given are 0");
  EXPECT_EQ(softmax_error(Softmax::causal_softmax_reverse, {shaped({2, 2})}, 1),
            "causal_softmax_reverse: operand count differs: needs 2, given are "
            "1");
}

TEST(SoftmaxPlan, ChecksTheAxisThenEqualShapes) {
  EXPECT_EQ(softmax_error(Softmax::log_softmax, {shaped({2})}, 1),
            "log_softmax: axis out of range: axis is 1, shape is [2]");
  EXPECT_EQ(
      softmax_error(Softmax::softmax_reverse, {shaped({2, 3}), shaped({3})}, 1),
      "softmax_reverse: shapes differ: result [2, 3], upstream gradient "
      "[3]");
}

TEST(SoftmaxPlan, ChecksTheCausalFormInOrder) {
  const auto error = [](const Shape& shape, std::size_t axis) {
    return softmax_error(Softmax::causal_softmax, {shaped(shape)}, axis);
  };
  EXPECT_EQ(error({3}, 0),
            "causal_softmax: needs at least two axes: shape is [3]");
  EXPECT_EQ(error({0, 2}, 1),
            "causal_softmax: queries and keys differ: shape is [0, 2]");
  EXPECT_EQ(error({4, 0, 0}, 2),
            "causal_softmax: needs at least one token: shape is [4, 0, 0]");
  EXPECT_EQ(error({2, 2}, 0),
            "causal_softmax: needs the last axis: axis is 0, shape is [2, 2]");
}

TEST(GatherPlan, ChecksTableThenCountThenIndices) {
  const auto error = [](const Shape& table, std::vector<std::size_t> rows,
                        const Shape& shape) {
    return thrown_by<ShapeError>([&] {
      GatherPlan::make(shaped(table), indices(std::move(rows)), shape);
    });
  };
  EXPECT_EQ(error({3}, {9}, {2}),
            "gather_rows: table needs two axes: table is [3]");
  EXPECT_EQ(error({3, 2}, {9}, {2}),
            "gather_rows: index count differs from shape: shape [2], given are "
            "1");
  EXPECT_EQ(error({3, 2}, {0, 3}, {2}),
            "gather_rows: index out of range: position 1 asks for row 3 of 3");
  EXPECT_EQ(error({1, big}, {}, {0, big}),
            "gather_rows: stride overflows: shape is [0, 4294967296, "
            "4294967296]");
}

TEST(GatherPlan, PutsTheWidthAfterTheIndexAxes) {
  const auto plan =
      GatherPlan::make(shaped({3, 4}), indices({0, 1, 2, 1}), {2, 2});
  EXPECT_EQ(plan.output_shape(), (Shape{2, 2, 4}));
  EXPECT_EQ(GatherPlan::make(shaped({3, 4}), indices({2}), {}).output_shape(),
            Shape{4});
}

TEST(ScatterPlan, ChecksRowsThenCountThenIndices) {
  const auto error = [](const Shape& rows, std::vector<std::size_t> to) {
    return thrown_by<ShapeError>(
        [&] { ScatterPlan::make(shaped(rows), indices(std::move(to)), 3); });
  };
  EXPECT_EQ(error({}, {9}), "scatter_add_rows: rows need an axis: shape is []");
  EXPECT_EQ(error({2, 4}, {9}),
            "scatter_add_rows: index count differs from rows: rows [2, 4], "
            "given are 1");
  EXPECT_EQ(error({2, 4}, {0, 3}),
            "scatter_add_rows: index out of range: position 1 asks for row 3 "
            "of 3");
}

TEST(RotaryPlan, ChecksInputThenTablesThenPositions) {
  const auto error = [](const Shape& input, const Shape& cosines,
                        const Shape& sines, std::size_t first) {
    return thrown_by<ShapeError>([&] {
      RotaryPlan::make(shaped(input), shaped(cosines), shaped(sines),
                       Rotation::forward, first);
    });
  };
  EXPECT_EQ(error({4}, {8}, {8}, 0),
            "rotary_pairs: input needs at least two axes: input is [4] from "
            "position 0, cosines [8], sines [8]");
  EXPECT_EQ(error({2, 3}, {8}, {8}, 0),
            "rotary_pairs: width is odd: input is [2, 3] from position 0, "
            "cosines [8], sines [8]");
  EXPECT_EQ(error({2, 4}, {8, 2}, {7, 2}, 0),
            "rotary_pairs: tables need two equal axes: input is [2, 4] from "
            "position 0, cosines [8, 2], sines [7, 2]");
  EXPECT_EQ(error({2, 4}, {8, 3}, {8, 3}, 0),
            "rotary_pairs: pair counts differ: input is [2, 4] from position "
            "0, cosines [8, 3], sines [8, 3]");
  EXPECT_EQ(error({2, 4}, {8, 2}, {8, 2}, 7),
            "rotary_pairs: position exceeds the capacity: input is [2, 4] from "
            "position 7, cosines [8, 2], sines [8, 2]");
  EXPECT_EQ(error({2, 4}, {8, 2}, {8, 2}, static_cast<std::size_t>(-1)),
            "rotary_pairs: position exceeds the capacity: input is [2, 4] from "
            "position 18446744073709551615, cosines [8, 2], sines [8, 2]");
}

TEST(NllPlan, ChecksInTheSpecifiedOrder) {
  const auto error = [](const Shape& logits, std::size_t axis,
                        std::vector<std::size_t> targets) {
    return thrown_by<ShapeError>([&] {
      NllPlan::make(Nll::loss, {shaped(logits)}, axis,
                    indices(std::move(targets)));
    });
  };
  EXPECT_EQ(error({0, 0}, 2, {9}),
            "indexed_mean_nll: axis out of range: axis is 2, shape is [0, 0]");
  EXPECT_EQ(error({0, 0}, 1, {9}),
            "indexed_mean_nll: there are no classes: logits are [0, 0]");
  EXPECT_EQ(error({0, 3}, 1, {9}),
            "indexed_mean_nll: target count differs: logits are [0, 3], 0 "
            "groups, 1 targets");
  EXPECT_EQ(error({0, 3}, 1, {}),
            "indexed_mean_nll: there are no targets: logits are [0, 3]");
  EXPECT_EQ(error({2, 3}, 0, {0, 2, 1}),
            "indexed_mean_nll: target out of range: group 1, target 2, classes "
            "2");
}

TEST(NllPlan, NeedsItsOperandsAndAScalarUpstreamGradient) {
  EXPECT_EQ(thrown_by<ShapeError>([] {
              NllPlan::make(Nll::reverse, {shaped({1, 3})}, 1, indices({0}));
            }),
            "indexed_mean_nll: operand count differs: needs 2, given are 1");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              NllPlan::make(Nll::reverse, {shaped({1, 3}), shaped({1})}, 1,
                            indices({0}));
            }),
            "indexed_mean_nll: upstream gradient is not a scalar: shape is "
            "[1]");
}

}  // namespace
}  // namespace tandem
