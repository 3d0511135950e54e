// Views: each operation's values, layout and checks; and the checked traversal.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/traversal.h>
#include <tandem/tensor/view.h>

#include <limits>
#include <numeric>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::same_bits;
using test::thrown_by;

Tensor counting(const Shape& shape) {
  std::vector<double> values(element_count(shape, "test"));
  std::iota(values.begin(), values.end(), 0.0);
  return Tensor(shape, values);
}

TEST(View, OfATensorIsAllOfIt) {
  const TensorView view = counting({2, 3});
  EXPECT_EQ(view.strides(), (Strides{3, 1}));
  EXPECT_EQ(view.offset(), 0u);
  EXPECT_TRUE(view.is_contiguous());
}

TEST(View, TransposeSwapsTwoAxes) {
  const TensorView view = counting({2, 3}).view().transpose(0, 1);
  EXPECT_TRUE(same_bits(view, {3, 2}, {0, 3, 1, 4, 2, 5}));
  EXPECT_FALSE(view.is_contiguous());
  EXPECT_TRUE(view.transpose(1, 0).is_contiguous());
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.transpose(0, 2); }),
            "transpose: axis out of range: axis is 2, shape is [3, 2]");
}

TEST(View, PermuteMovesEveryAxis) {
  const TensorView view = counting({2, 3, 4});
  const TensorView moved = view.permute({2, 0, 1});
  EXPECT_EQ(moved.shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(moved.get({3, 1, 2}), view.get({1, 2, 3}));
}

TEST(View, PermuteChecksLengthThenBoundsThenDuplicates) {
  const TensorView view = counting({2, 3});
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              view.permute({0, 0, 9});
            }),
            "permute: needs one entry per axis: axes are [0, 0, 9], shape is "
            "[2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              view.permute({2, 2});
            }),
            "permute: axis out of range: axes are [2, 2], shape is [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              view.permute({1, 1});
            }),
            "permute: axis appears twice: axes are [1, 1], shape is [2, 3]");
}

TEST(View, SliceTakesEveryStepthIndexBelowItsEnd) {
  const TensorView view = counting({10});
  EXPECT_TRUE(same_bits(view.slice(0, 1, 8, 3), {3}, {1, 4, 7}));
  EXPECT_TRUE(same_bits(view.slice(0, 1, 7, 3), {2}, {1, 4}));
  EXPECT_TRUE(same_bits(view.slice(0, 9, 10, 5), {1}, {9}));
  EXPECT_TRUE(same_bits(view.slice(0, 2, 9, 2).slice(0, 1, 4, 2), {2}, {4, 8}));
}

TEST(View, SliceMayBeEmptyAnywhere) {
  const TensorView view = counting({2, 3});
  for (std::size_t at = 0; at <= 3; ++at) {
    const TensorView none = view.slice(1, at, at);
    EXPECT_TRUE(same_bits(none, {2, 0}, {}));
    EXPECT_TRUE(none.is_contiguous());
  }
}

TEST(View, SliceTakesAnyStepWhereOneIndexIsLeft) {
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  const TensorView view = counting({4, 3}).view().slice(0, 2, 4, huge);
  EXPECT_TRUE(same_bits(view, {1, 3}, {6, 7, 8}));
}

TEST(View, SliceChecksAxisThenOrderThenExtentThenStep) {
  const TensorView view = counting({2, 3});
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.slice(2, 5, 1, 0); }),
            "slice: axis out of range: axis is 2, shape is [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.slice(1, 5, 4, 0); }),
            "slice: start lies beyond end: start is 5, end is 4, step is 0, "
            "axis 1 of [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.slice(1, 1, 4, 0); }),
            "slice: end lies beyond the extent: start is 1, end is 4, step is "
            "0, axis 1 of [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.slice(1, 1, 3, 0); }),
            "slice: step must be positive: start is 1, end is 3, step is 0, "
            "axis 1 of [2, 3]");
}

TEST(View, ReverseWalksAnAxisDown) {
  const TensorView view = counting({2, 3}).view().reverse(1);
  EXPECT_EQ(view.strides(), (Strides{3, -1}));
  EXPECT_EQ(view.offset(), 2u);
  EXPECT_TRUE(same_bits(view, {2, 3}, {2, 1, 0, 5, 4, 3}));
  EXPECT_TRUE(same_bits(view.slice(1, 1, 3), {2, 2}, {1, 0, 4, 3}));
  EXPECT_TRUE(same_bits(view.reverse(1), {2, 3}, {0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(same_bits(Tensor({0}, {}).view().reverse(0), {0}, {}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.reverse(2); }),
            "reverse: axis out of range: axis is 2, shape is [2, 3]");
}

TEST(View, BroadcastRepeatsExtentOneWithStrideZero) {
  const TensorView view = Tensor({2, 1}, {1, 2}).view().broadcast_to({2, 2, 3});
  EXPECT_EQ(view.strides(), (Strides{0, 1, 0}));
  EXPECT_TRUE(same_bits(view, {2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2}));
  EXPECT_TRUE(same_bits(TensorView(3.0).broadcast_to({0, 2}), {0, 2}, {}));
}

TEST(View, BroadcastRefusesWhatDoesNotBecomeTheTarget) {
  const TensorView view = counting({2, 3});
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.broadcast_to({3}); }),
            "broadcast_to: shape cannot become the target: shape is [2, 3], "
            "target is [3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              view.broadcast_to({1, 3});
            }),
            "broadcast_to: shape cannot become the target: shape is [2, 3], "
            "target is [1, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              view.broadcast_to({2, 4});
            }),
            "broadcast_to: shapes do not broadcast at axis 1: left is [2, 3], "
            "right is [2, 4]");
  const std::size_t big = std::size_t{1} << 32;
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              TensorView(1.0).broadcast_to({big, big});
            }),
            "broadcast_to: element count overflows: shape is [4294967296, "
            "4294967296]");
}

TEST(View, SqueezeAndUnsqueezeAreEachOthersInverse) {
  const TensorView view = counting({2, 3});
  for (std::size_t axis = 0; axis <= 2; ++axis) {
    EXPECT_TRUE(same_bits(view.unsqueeze(axis).squeeze(axis), view));
  }
  EXPECT_EQ(view.unsqueeze(1).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.squeeze(0); }),
            "squeeze: extent must be 1: axis is 0, shape is [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.unsqueeze(3); }),
            "unsqueeze: axis out of range: axis is 3, shape is [2, 3]");
}

TEST(View, ReshapeChecksTheCountThenThatItIsContiguous) {
  const TensorView turned = counting({2, 3}).view().transpose(0, 1);
  EXPECT_EQ(thrown_by<ShapeError>([&] { turned.reshape({5}); }),
            "reshape: element counts differ: [3, 2] has 6, [5] has 5");
  EXPECT_EQ(thrown_by<ShapeError>([&] { turned.reshape({6}); }),
            "reshape: view is not contiguous: shape is [3, 2], asked for [6]");
}

TEST(View, ReshapeTakesScalarsEmptyViewsAndAnyStrideOfExtentOne) {
  const TensorView row = counting({4, 3}).view().slice(0, 2, 3);
  EXPECT_TRUE(same_bits(row.reshape({3, 1}), {3, 1}, {6, 7, 8}));
  const TensorView column = counting({4, 3}).view().slice(1, 2, 3);
  EXPECT_FALSE(column.is_contiguous());
  EXPECT_TRUE(same_bits(column.slice(0, 1, 2).reshape({}), {}, {5}));
  const TensorView none = column.transpose(0, 1).slice(1, 1, 1);
  EXPECT_TRUE(same_bits(none.reshape({0, 7}), {0, 7}, {}));
}

TEST(View, MaterializeSharesTheStorageOnlyOfAllOfItInOrder) {
  const Tensor tensor = counting({2, 3});
  const auto shared = [&](const TensorView& view) {
    const Tensor all = view.materialize();
    return all.values().data() == tensor.values().data();
  };
  EXPECT_TRUE(shared(tensor.view().unsqueeze(0)));
  EXPECT_FALSE(shared(tensor.view().slice(0, 0, 1)));
  EXPECT_FALSE(shared(tensor.view().reverse(1)));
}

TEST(View, MaterializeRefusesAPackedLayoutThatOverflows) {
  const std::size_t big = std::size_t{1} << 32;
  const TensorView view = Tensor({big, 0, big}, {}).view().permute({1, 0, 2});
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.materialize(); }),
            "materialize: stride overflows: shape is [0, 4294967296, "
            "4294967296]");
}

TEST(View, GetChecksCountAndBounds) {
  const TensorView view = counting({2, 3});
  EXPECT_EQ(view.get({1, 2}), 5.0);
  EXPECT_EQ(thrown_by<ShapeError>([&] { view.get({1}); }),
            "get: needs one index per axis: index is [1], shape is [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              view.get({1, 3});
            }),
            "get: index out of range: index is [1, 3], shape is [2, 3]");
}

TEST(View, WorksBeyondTheInlineRank) {
  const TensorView view = counting({2, 1, 2, 1, 2, 1, 2, 1});
  const TensorView turned = view.permute({7, 6, 5, 4, 3, 2, 1, 0});
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(turned.get({0, i & 1, 0, i >> 1 & 1, 0, i >> 2 & 1, 0, i >> 3}),
              static_cast<double>(i));
  }
}

std::vector<std::size_t> visited(const Traversal& traversal) {
  std::vector<std::size_t> offsets;
  traversal.for_each([&](std::size_t offset) { offsets.push_back(offset); });
  return offsets;
}

TEST(Traversal, VisitsRowMajorWithAnyStrides) {
  EXPECT_EQ(visited(Traversal::make({2, 3}, {1, 2}, 0, 6)),
            (std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(visited(Traversal::make({2, 2}, {-2, 0}, 3, 4)),
            (std::vector<std::size_t>{3, 3, 1, 1}));
  EXPECT_EQ(visited(Traversal::make({}, {}, 4, 5)),
            (std::vector<std::size_t>{4}));
  EXPECT_TRUE(visited(Traversal::make({0, 2}, {2, 1}, 0, 0)).empty());
}

TEST(Traversal, NeverTakesTheStrideOfExtentOne) {
  const auto largest = std::numeric_limits<std::ptrdiff_t>::max();
  EXPECT_EQ(visited(Traversal::make({1, 2}, {largest, 1}, 1, 3)),
            (std::vector<std::size_t>{1, 2}));
}

TEST(Traversal, RefusesAnOffsetOutsideTheStorage) {
  const auto make = [](const Shape& shape, const Strides& strides,
                       std::size_t offset, std::size_t count) {
    return thrown_by<ShapeError>(
        [&] { Traversal::make(shape, strides, offset, count); });
  };
  const auto text = [](const char* offset, const char* count) {
    return "traversal: offset lies outside the storage: shape is [2, 3], "
           "offset is " +
           std::string(offset) + ", storage holds " + count;
  };
  EXPECT_EQ(make({2, 3}, {3, 1}, 0, 5), text("0", "5"));
  EXPECT_EQ(make({2, 3}, {3, 1}, 1, 6), text("1", "6"));
  EXPECT_EQ(make({2, 3}, {-3, 1}, 2, 6), text("2", "6"));
  EXPECT_EQ(make({2, 3}, {std::numeric_limits<std::ptrdiff_t>::max(), 1}, 1, 6),
            text("1", "6"));
  EXPECT_EQ(make({2, 3}, {3, 1}, std::numeric_limits<std::size_t>::max(), 6),
            text("18446744073709551615", "6"));
  EXPECT_EQ(make({2, 3}, {1}, 0, 6),
            "traversal: needs one stride per axis: shape is [2, 3], offset is "
            "0, storage holds 6");
}

}  // namespace
}  // namespace tandem
