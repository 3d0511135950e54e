#include "cuda/checked.h"

#include <gtest/gtest.h>

namespace tandem::cuda {
namespace {

template <typename Status>
ExecutionError failure_of(Status status, ExecutionStage stage,
                          const char* function) {
  try {
    check(status, stage, function);
  } catch (const ExecutionError& error) {
    return error;
  }
  return ExecutionError(ExecutionStage::feature, "no error");
}

TEST(CheckedCall, PassesSuccess) {
  check(abi::DriverStatus::success, ExecutionStage::driver, "cuInit");
  check(abi::RuntimeStatus::success, ExecutionStage::copy, "cudaMemcpyAsync");
  check(abi::BlasStatus::success, ExecutionStage::handle, "cublasCreate_v2");
}

TEST(CheckedCall, NamesADriverStatus) {
  const auto error =
      failure_of(abi::DriverStatus{100}, ExecutionStage::driver, "cuInit");
  EXPECT_STREQ(error.what(),
               "cuda: cuInit failed: driver status 100 (CUDA_ERROR_NO_DEVICE)");
  EXPECT_EQ(error.stage(), ExecutionStage::driver);
  EXPECT_EQ(error.code(), 100);
  EXPECT_EQ(error.code_name(), "CUDA_ERROR_NO_DEVICE");
}

TEST(CheckedCall, NamesARuntimeStatus) {
  const auto error =
      failure_of(abi::RuntimeStatus{2}, ExecutionStage::allocate, "cudaMalloc");
  EXPECT_STREQ(error.what(),
               "cuda: cudaMalloc failed: runtime status 2 "
               "(cudaErrorMemoryAllocation)");
  EXPECT_EQ(error.stage(), ExecutionStage::allocate);
  EXPECT_EQ(error.code(), 2);
  EXPECT_EQ(error.code_name(), "cudaErrorMemoryAllocation");
}

TEST(CheckedCall, NamesACublasStatus) {
  const auto error = failure_of(abi::BlasStatus{13}, ExecutionStage::gemm,
                                "cublasDgemmStridedBatched_64");
  EXPECT_STREQ(error.what(),
               "cuda: cublasDgemmStridedBatched_64 failed: cublas status 13 "
               "(CUBLAS_STATUS_EXECUTION_FAILED)");
  EXPECT_EQ(error.stage(), ExecutionStage::gemm);
  EXPECT_EQ(error.code(), 13);
  EXPECT_EQ(error.code_name(), "CUBLAS_STATUS_EXECUTION_FAILED");
}

TEST(CheckedCall, SaysThatAStatusIsUnknown) {
  const auto error = failure_of(abi::BlasStatus{99}, ExecutionStage::handle,
                                "cublasCreate_v2");
  EXPECT_STREQ(error.what(),
               "cuda: cublasCreate_v2 failed: cublas status 99 (unknown)");
  EXPECT_EQ(error.code(), 99);
  EXPECT_EQ(error.code_name(), "unknown");
}

}  // namespace
}  // namespace tandem::cuda
