#include "cuda/gemm_arguments.h"

#include <gtest/gtest.h>

namespace tandem::cuda {
namespace {

TEST(GemmArguments, ReverseTheOperandsOfARowMajorProduct) {
  const GemmArguments arguments = gemm_arguments({5, 2, 4, 3, 1.0});
  EXPECT_EQ(arguments.operation_a, abi::BlasOperation::none);
  EXPECT_EQ(arguments.operation_b, abi::BlasOperation::none);
  EXPECT_EQ(arguments.m, 4);
  EXPECT_EQ(arguments.n, 2);
  EXPECT_EQ(arguments.k, 3);
  EXPECT_EQ(arguments.lda, 4);
  EXPECT_EQ(arguments.ldb, 3);
  EXPECT_EQ(arguments.ldc, 4);
  EXPECT_EQ(arguments.stride_a, 12);
  EXPECT_EQ(arguments.stride_b, 6);
  EXPECT_EQ(arguments.stride_c, 8);
  EXPECT_EQ(arguments.batch_count, 5);
  EXPECT_EQ(arguments.alpha, 1.0);
  EXPECT_EQ(arguments.beta, 0.0);
}

TEST(GemmArguments, KeepAMatrixStrideBeyondInt) {
  const GemmArguments arguments = gemm_arguments({2, 46341, 46341, 46341, 1.0});
  EXPECT_EQ(arguments.stride_a, 2147488281LL);
  EXPECT_EQ(arguments.stride_b, 2147488281LL);
  EXPECT_EQ(arguments.stride_c, 2147488281LL);
}

TEST(GemmArguments, KeepABatchCountBeyondInt) {
  const GemmArguments arguments = gemm_arguments({4294967297, 1, 1, 1, 1.0});
  EXPECT_EQ(arguments.batch_count, 4294967297LL);
}

TEST(GemmArguments, CarryTheScale) {
  EXPECT_EQ(gemm_arguments({1, 2, 1, 3, 1.0 / 3.0}).alpha, 1.0 / 3.0);
}

}  // namespace
}  // namespace tandem::cuda
