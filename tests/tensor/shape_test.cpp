// Axis lists, shapes and the arithmetic of extents.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>
#include <tandem/tensor/shape.h>

#include <numeric>
#include <utility>

#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::thrown_by;

constexpr std::size_t half_range = std::size_t{1} << 32;

AxisList<int> counting(std::size_t count) {
  AxisList<int> list(count, 0);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

TEST(AxisList, HoldsWhatWasPutInAtEveryLengthAroundItsInlineCapacity) {
  for (std::size_t count = 0; count <= 20; ++count) {
    AxisList<int> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(static_cast<int>(i));
    EXPECT_EQ(list, counting(count));
    EXPECT_EQ(list.size(), count);
    EXPECT_EQ(list.empty(), count == 0);
  }
}

TEST(AxisList, InsertsAndErasesAnywhere) {
  for (const std::size_t count :
       {std::size_t{3}, std::size_t{6}, std::size_t{9}}) {
    for (std::size_t place = 0; place <= count; ++place) {
      AxisList<int> list = counting(count);
      list.insert(place, 77);
      EXPECT_EQ(list.size(), count + 1);
      EXPECT_EQ(list[place], 77);
      list.erase(place);
      EXPECT_EQ(list, counting(count));
    }
  }
}

TEST(AxisList, CopiesAreIndependentAndMovesKeepTheValues) {
  for (const std::size_t count : {std::size_t{2}, std::size_t{12}}) {
    AxisList<int> list = counting(count);
    AxisList<int> copy = list;
    copy[0] = 5;
    EXPECT_EQ(list, counting(count));
    const AxisList<int> moved = std::move(list);
    EXPECT_EQ(moved, counting(count));
    AxisList<int> assigned;
    assigned = moved;
    EXPECT_EQ(assigned, moved);
  }
}

TEST(AxisList, DiffersByLengthAndByValue) {
  EXPECT_FALSE((AxisList<int>{1, 2}) == (AxisList<int>{1, 2, 3}));
  EXPECT_FALSE((AxisList<int>{1, 2}) == (AxisList<int>{1, 3}));
}

TEST(Shape, ReplacesPutsInAndTakesOutAnAxis) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.with_extent(1, 9), (Shape{2, 9, 4}));
  EXPECT_EQ(shape.with_axis(3, 1), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(shape.without_axis(0), (Shape{3, 4}));
  EXPECT_EQ(shape, (Shape{2, 3, 4}));
}

TEST(Shape, PrintsItsExtents) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{7}), "[7]");
  EXPECT_EQ(to_string(Shape{2, 0, 3}), "[2, 0, 3]");
}

TEST(Shape, IsEmptyWhereAnExtentIsZero) {
  EXPECT_FALSE(Shape{}.is_empty());
  EXPECT_FALSE((Shape{1, 2}).is_empty());
  EXPECT_TRUE((Shape{1, 0}).is_empty());
}

TEST(ElementCount, MultipliesTheExtents) {
  EXPECT_EQ(element_count({}, "op"), 1u);
  EXPECT_EQ(element_count({2, 3, 4}, "op"), 24u);
  EXPECT_EQ(element_count({half_range, half_range, 0}, "op"), 0u);
}

TEST(ElementCount, RefusesMoreBytesThanAnOffsetCanReach) {
  const std::size_t largest = (std::size_t{1} << 60) - 1;
  EXPECT_EQ(element_count(Shape{largest}, "op"), largest);
  EXPECT_EQ(
      thrown_by<ShapeError>([&] { element_count(Shape{largest + 1}, "op"); }),
      "op: element count overflows: shape is [1152921504606846976]");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              element_count({half_range, half_range}, "op");
            }),
            "op: element count overflows: shape is [4294967296, 4294967296]");
}

TEST(RowMajorStrides, CountTheElementsBelowAnAxis) {
  EXPECT_EQ(row_major_strides({}, "op"), Strides());
  EXPECT_EQ(row_major_strides({2, 3, 4}, "op"), (Strides{12, 4, 1}));
  EXPECT_EQ(row_major_strides({2, 0, 4}, "op"), (Strides{0, 4, 1}));
}

TEST(RowMajorStrides, RefuseOverflowEvenIfAnotherExtentIsZero) {
  EXPECT_EQ(thrown_by<ShapeError>([] {
              row_major_strides({0, half_range, half_range}, "op");
            }),
            "op: stride overflows: shape is [0, 4294967296, 4294967296]");
}

TEST(BroadcastShapes, AlignTrailingAxesAndRepeatExtentOne) {
  EXPECT_EQ(broadcast_shapes({2, 1, 4}, {3, 1}, "op"), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast_shapes({}, {3}, "op"), (Shape{3}));
  EXPECT_EQ(broadcast_shapes({}, {}, "op"), Shape{});
}

TEST(BroadcastShapes, TakeZeroAgainstOneAndRefuseZeroAgainstTwo) {
  EXPECT_EQ(broadcast_shapes({0}, {1}, "op"), Shape{0});
  EXPECT_EQ(broadcast_shapes({2, 1}, {1, 0}, "op"), (Shape{2, 0}));
  EXPECT_EQ(thrown_by<ShapeError>([] { broadcast_shapes({0}, {2}, "op"); }),
            "op: shapes do not broadcast at axis 0: left is [0], right is [2]");
}

TEST(BroadcastShapes, NameTheLeftmostAxisThatDoesNotFit) {
  EXPECT_EQ(thrown_by<ShapeError>([] {
              broadcast_shapes({5, 2, 3, 4}, {2, 2, 5}, "op");
            }),
            "op: shapes do not broadcast at axis 2: left is [5, 2, 3, 4], "
            "right is [2, 2, 5]");
}

TEST(CheckAxis, NamesTheAxisAndTheShape) {
  check_axis({2, 3}, 1, "op");
  EXPECT_EQ(thrown_by<ShapeError>([] {
              check_axis({2, 3}, 2, "op");
            }),
            "op: axis out of range: axis is 2, shape is [2, 3]");
  EXPECT_EQ(thrown_by<ShapeError>([] { check_axis({}, 0, "op"); }),
            "op: axis out of range: axis is 0, shape is []");
}

}  // namespace
}  // namespace tandem
