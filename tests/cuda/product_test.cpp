#include "cuda/product.h"

#include <gtest/gtest.h>
#include <tandem/tensor/error.h>

#include <cstdint>

#include "cuda/chunks.h"

namespace tandem::cuda {
namespace {

TEST(PackedSizes, CountElementsOfEachArray) {
  const PackedSizes sizes = packed_sizes({5, 2, 4, 3, 1.0});
  EXPECT_EQ(sizes.left, 30U);
  EXPECT_EQ(sizes.right, 60U);
  EXPECT_EQ(sizes.out, 40U);
  EXPECT_EQ(sizes.left_bytes(), 240U);
}

TEST(PackedSizes, RefuseARepeatedOperandBeyondAnyAddressSpace) {
  try {
    packed_sizes({std::size_t{1} << 40, 1, 1, std::size_t{1} << 30, 1.0});
    FAIL() << "no error";
  } catch (const ExecutionError& error) {
    EXPECT_EQ(error.stage(), ExecutionStage::allocate);
    EXPECT_STREQ(error.what(),
                 "cuda: packed operands are too large: batch 1099511627776, "
                 "rows 1, inner 1073741824, columns 1");
  }
}

// Every row of every matrix lies in exactly one chunk, in order.
void expect_partition(const Product& product) {
  std::size_t next = 0;
  for (const Chunk& chunk : chunks_of(product)) {
    EXPECT_EQ(chunk.first_batch * product.rows + chunk.first_row, next);
    EXPECT_TRUE(chunk.batches == 1 || chunk.rows == product.rows);
    next += chunk.batches * chunk.rows;
  }
  EXPECT_EQ(next, product.batch * product.rows);
}

TEST(Chunks, LeaveASmallProductWhole) {
  const auto chunks = chunks_of({3, 64, 64, 64, 1.0});
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].batches, 3U);
  EXPECT_EQ(chunks[0].rows, 64U);
}

TEST(Chunks, SplitTheRowsOfALargeMatrix) {
  EXPECT_EQ(chunks_of({1, 4096, 4096, 4096, 1.0}).size(), 8U);
  expect_partition({1, 4096, 4096, 4096, 1.0});
}

TEST(Chunks, GroupTheMatricesOfALargeBatch) {
  const auto chunks = chunks_of({1000, 64, 64, 64, 1.0});
  EXPECT_GT(chunks.size(), 1U);
  EXPECT_LT(chunks.size(), 20U);
  expect_partition({1000, 64, 64, 64, 1.0});
}

TEST(Chunks, CoverOddShapesExactly) {
  expect_partition({3, 1999, 3001, 1237, 1.0});
  expect_partition({1, 10000001, 1, 7, 1.0});
  expect_partition({65538, 1, 2, 100, 1.0});
  expect_partition({1, 1, 100000, 1000, 1.0});
}

}  // namespace
}  // namespace tandem::cuda
