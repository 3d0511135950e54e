// The memory of the CUDA backend over the fake libraries: what it keeps, takes
// anew and gives back.
#include <tandem/tensor/error.h>

#include <limits>
#include <map>
#include <optional>
#include <string>

#include "cuda/backend_test_base.h"

namespace tandem {
namespace {

TEST_F(CudaBackend, NeverReadsWhatAFreshResultHolds) {
  const Tensor left({2, 2}, {1, 2, 3, 4});
  const Tensor right({2, 2}, {5, 6, 7, 8});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t n = 1; n < 300; n += 13) {
    // NaN is left behind in every buffer there is.
    cuda_.matmul(Tensor::full({n, n}, nan), Tensor::full({n, n}, nan));
    ASSERT_EQ(list(cuda_.matmul(left, right)),
              (std::vector<double>{19, 22, 43, 50}));
  }
}

TEST_F(CudaBackend, SendsItsOwnResultsWithoutStaging) {
  const Tensor left = integers({300, 300}, 1);
  const Tensor own = cuda_.matmul(left, left);
  fake_cuda::plant({});
  cuda_.matmul(own, own);
  // Two copies in, and out the result and whether it holds a NaN; staged
  // operands would go in more pieces.
  EXPECT_EQ(fake_cuda::calls()["cudaMemcpyAsync"], 4U);
  EXPECT_EQ(fake_cuda::calls()["cudaEventSynchronize"], 0U);
}

TEST_F(CudaBackend, MakesNothingAnewInSteadyState) {
  const Tensor small = integers({8, 8}, 1);
  const Tensor large = integers({300, 300}, 2);
  for (int warm = 0; warm < 6; ++warm) {
    cuda_.matmul(small, small);
    cuda_.matmul(large, large);
  }
  const auto live = fake_cuda::live();
  fake_cuda::plant({});
  for (int i = 0; i < 1000; ++i) cuda_.matmul(small, small);
  for (int i = 0; i < 10; ++i) cuda_.matmul(large, large);
  EXPECT_EQ(fake_cuda::live(), live);
  EXPECT_EQ(fake_cuda::calls().count("cudaMalloc"), 0U);
  EXPECT_EQ(fake_cuda::calls().count("cudaHostRegister"), 0U);
  EXPECT_EQ(fake_cuda::calls().count("cublasCreate_v2"), 0U);
}

TEST_F(CudaBackend, TakesTwoNativeStepsAndOneWaitForASmallProduct) {
  const Tensor small = integers({8, 8}, 1);
  fake_cuda::plant({});
  cuda_.matmul(small, small);
  EXPECT_EQ(fake_cuda::calls(), (std::map<std::string, std::size_t>{
                                    {"cuCtxPushCurrent_v2", 1},
                                    {"cudaMemcpyAsync", 1},
                                    {"cublasDgemmStridedBatched_64", 1},
                                    {"cudaStreamSynchronize", 1},
                                    {"cuCtxPopCurrent_v2", 1}}));
}

TEST_F(CudaBackend, FreesItsMemoryWhenAsked) {
  const Tensor large = integers({300, 300}, 2);
  cuda_.matmul(large, large);
  const auto before = fake_cuda::live();
  cuda_.release_unused_memory();
  const auto after = fake_cuda::live();
  EXPECT_LT(after.device_buffers, before.device_buffers);
  EXPECT_LT(after.registrations, before.registrations);
  EXPECT_EQ(list(cuda_.matmul(large, large)), list(cpu_.matmul(large, large)));
}

TEST_F(CudaBackend, KeepsNoMoreMemoryThanItsBound) {
  CudaOptions options = fake_cuda_options();
  options.pool_limit_bytes = 0;
  const auto bounded = ExecutionContext::cuda(0, options);
  const Tensor large = integers({300, 300}, 2);
  for (int warm = 0; warm < 6; ++warm) bounded.matmul(large, large);
  const auto live = fake_cuda::live();
  for (int i = 0; i < 5; ++i) bounded.matmul(large, large);
  EXPECT_EQ(fake_cuda::live(), live);
}

TEST_F(CudaBackend, GivesKeptMemoryBackWhenTheDeviceIsFull) {
  fake_cuda::set_device_memory(std::size_t{60} << 20);
  const Tensor left = integers({1200, 600}, 2);
  const Tensor right = integers({600, 4}, 3);
  cuda_.matmul(left, right);
  const Tensor other = integers({1600, 1000}, 2);
  const Tensor thin = integers({1000, 4}, 3);
  EXPECT_EQ(list(cuda_.matmul(other, thin)), list(cpu_.matmul(other, thin)));
}

TEST_F(CudaBackend, SaysThatTheDeviceIsFull) {
  fake_cuda::set_device_memory(std::size_t{40} << 20);
  const Tensor left = integers({1200, 1200}, 2);
  try {
    cuda_.matmul(left, left);
    FAIL() << "no error";
  } catch (const ExecutionError& error) {
    EXPECT_STREQ(error.what(),
                 "cuda: cudaMalloc failed: runtime status 2 "
                 "(cudaErrorMemoryAllocation)");
    EXPECT_EQ(error.stage(), ExecutionStage::allocate);
  }
  EXPECT_EQ(cuda_.stats(), ExecutionStats{});
  EXPECT_EQ(cuda_.matmul(Tensor::ones({1, 2}), Tensor::ones({2, 1})).item(),
            2.0);
}

TEST_F(CudaBackend, LeavesNothingBehind) {
  std::optional<ExecutionContext> context = fake_cuda_context(1);
  const Tensor large = integers({300, 300}, 2);
  context->matmul(large, large);
  cuda_ = ExecutionContext();
  context.reset();
  EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{});
  EXPECT_EQ(fake_cuda::device_bytes(0), 0U);
  EXPECT_EQ(fake_cuda::device_bytes(1), 0U);
}

TEST_F(CudaBackend, LeavesResultsReadableWhenItIsGone) {
  const Tensor large = integers({300, 300}, 2);
  std::optional<Tensor> result = cuda_.matmul(large, large);
  cuda_ = ExecutionContext();
  EXPECT_EQ(list(*result), list(cpu_.matmul(large, large)));
  result.reset();
  EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{});
}

}  // namespace
}  // namespace tandem
