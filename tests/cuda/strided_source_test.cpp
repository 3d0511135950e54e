#include "cuda/strided_source.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tandem::cuda {
namespace {

using Extents = std::vector<std::size_t>;
using Strides = std::vector<std::ptrdiff_t>;

// The definition: indices in row-major order, one offset each.
std::vector<double> by_definition(const double* first, const Extents& extents,
                                  const Strides& strides) {
  std::vector<double> values;
  std::size_t count = 1;
  for (const std::size_t extent : extents) count *= extent;
  for (std::size_t i = 0; i < count; ++i) {
    std::ptrdiff_t offset = 0;
    std::size_t rest = i;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      offset +=
          static_cast<std::ptrdiff_t>(rest % extents[axis]) * strides[axis];
      rest /= extents[axis];
    }
    values.push_back(first[offset]);
  }
  return values;
}

void expect_packs(const double* first, const Extents& extents,
                  const Strides& strides) {
  const StridedSource source(first, extents, strides);
  const auto expected = by_definition(first, extents, strides);
  // In pieces of every size, so that each way to begin and end is taken.
  for (std::size_t piece = 1; piece <= expected.size(); ++piece) {
    std::vector<double> packed(expected.size(), -1.0);
    for (std::size_t at = 0; at < packed.size(); at += piece)
      source.pack(at, std::min(piece, packed.size() - at), &packed[at]);
    ASSERT_EQ(packed, expected) << "in pieces of " << piece;
  }
}

std::vector<double> ascending(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

TEST(StridedSource, CopiesWhatIsPacked) {
  const auto values = ascending(24);
  expect_packs(values.data(), {2, 3, 4}, {12, 4, 1});
}

TEST(StridedSource, KnowsWhatIsPacked) {
  const auto values = ascending(24);
  EXPECT_TRUE(StridedSource(values.data(), {2, 3, 4}, {12, 4, 1}).is_packed());
  EXPECT_TRUE(StridedSource(values.data(), {1, 4}, {99, 1}).is_packed());
  EXPECT_TRUE(StridedSource(values.data(), {1, 1}, {0, 0}).is_packed());
  EXPECT_FALSE(StridedSource(values.data(), {4, 6}, {1, 4}).is_packed());
  EXPECT_FALSE(StridedSource(values.data(), {2, 3}, {0, 1}).is_packed());
  EXPECT_FALSE(StridedSource(values.data() + 3, {4}, {-1}).is_packed());
}

TEST(StridedSource, PacksATransposedMatrix) {
  const auto values = ascending(11 * 19);
  expect_packs(values.data(), {11, 19}, {1, 11});
}

TEST(StridedSource, PacksABatchOfTransposedMatrices) {
  const auto values = ascending(2 * 9 * 5);
  expect_packs(values.data(), {2, 9, 5}, {45, 1, 9});
}

TEST(StridedSource, RepeatsABroadcastMatrix) {
  const auto values = ascending(6);
  expect_packs(values.data(), {4, 2, 3}, {0, 3, 1});
}

TEST(StridedSource, RepeatsASingleValue) {
  const double one = 1.0;
  expect_packs(&one, {7}, {0});
}

TEST(StridedSource, FollowsNegativeStrides) {
  const auto values = ascending(24);
  expect_packs(values.data() + 23, {4, 6}, {-6, -1});
  expect_packs(values.data() + 18, {4, 6}, {-6, 1});
}

TEST(StridedSource, SkipsBetweenTheElementsOfASlice) {
  const auto values = ascending(40);
  expect_packs(values.data() + 1, {3, 4}, {10, 2});
}

TEST(StridedSource, PacksAPermutationOfFourAxes) {
  const auto values = ascending(2 * 3 * 4 * 5);
  expect_packs(values.data(), {4, 2, 5, 3}, {5, 60, 1, 20});
}

}  // namespace
}  // namespace tandem::cuda
