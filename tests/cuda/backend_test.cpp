// The CUDA backend over the fake libraries: what it computes and counts.
#include <cstdlib>
#include <thread>
#include <vector>

#include "cuda/backend_test_base.h"

namespace tandem {
namespace {

TEST_F(CudaBackend, MultipliesBothOperandsTheRightWayRound) {
  const Tensor left({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor right({3, 2}, {7, 8, 9, 10, 11, 12});
  EXPECT_EQ(list(cuda_.matmul(left, right)),
            (std::vector<double>{58, 64, 139, 154}));
}

TEST_F(CudaBackend, CountsTheThreeTinyOperations) {
  const Tensor left({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor right({3, 2}, {7, 8, 9, 10, 11, 12});
  cuda_.matmul(left, right);
  EXPECT_EQ(list(cuda_.sum_axis(left, 1)), (std::vector<double>{6, 15}));
  EXPECT_EQ(list(cuda_.mean_axis(left, 1)), (std::vector<double>{2, 5}));
  EXPECT_EQ(cuda_.stats(), (ExecutionStats{3, 240, 64}));
}

TEST_F(CudaBackend, MultipliesTransposedOperands) {
  const Tensor a({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b({2, 4}, {1, 0, 2, 1, 0, 1, 1, 3});
  const std::vector<double> expected{1, 4, 6, 13, 2, 5, 9, 17, 3, 6, 12, 21};
  EXPECT_EQ(list(cuda_.matmul_with_transpose(a, b, true, false)), expected);
  EXPECT_EQ(list(cuda_.matmul(a.view().transpose(0, 1), b)), expected);
}

TEST_F(CudaBackend, RepeatsOneMatrixOverABatch) {
  std::vector<double> ones_in_a_corner(10 * 6, 0.0);
  for (std::size_t i = 0; i < 10; ++i) ones_in_a_corner[i * 6] = 1.0;
  const Tensor left({10, 2, 3}, ones_in_a_corner);
  const Tensor right({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Tensor product = cuda_.matmul(left, right);
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t column = 0; column < 4; ++column) {
      EXPECT_EQ(product.at({i, 0, column}), static_cast<double>(column));
      EXPECT_EQ(product.at({i, 1, column}), 0.0);
    }
  }
  EXPECT_EQ(cuda_.stats(),
            (ExecutionStats{1, (10 * 6 + 10 * 12) * 8, 10 * 8 * 8}));
}

TEST_F(CudaBackend, MultipliesMoreMatricesThanA16BitGridHolds) {
  constexpr std::size_t batch = 65538;
  std::vector<double> left(batch);
  std::vector<double> right(2 * batch);
  for (std::size_t i = 0; i < batch; ++i) {
    left[i] = static_cast<double>(i);
    right[2 * i] = 1.0;
    right[2 * i + 1] = 2.0;
  }
  const Tensor product =
      cuda_.matmul(Tensor({batch, 1, 1}, left), Tensor({batch, 1, 2}, right));
  for (const std::size_t i : {65534U, 65535U, 65536U, 65537U}) {
    EXPECT_EQ(product.at({i, 0, 0}), static_cast<double>(i));
    EXPECT_EQ(product.at({i, 0, 1}), static_cast<double>(2 * i));
  }
}

TEST_F(CudaBackend, ReducesAnyAxisOfAStridedView) {
  const Tensor tensor = integers({3, 4, 5}, 1);
  const TensorView view = tensor.view().reverse(2).transpose(0, 1);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(list(cuda_.sum_axis(view, axis)),
              list(cpu_.sum_axis(view, axis)));
  }
}

TEST_F(CudaBackend, ScalesTheMeanByTheReciprocal) {
  const Tensor tensor({1, 3}, {1, 1, 8});
  EXPECT_EQ(cuda_.mean_axis(tensor, 1).item(), 10.0 * (1.0 / 3.0));
}

TEST_F(CudaBackend, DoesNoNativeWorkWhereNothingIsMultiplied) {
  fake_cuda::plant({});
  EXPECT_EQ(list(cuda_.matmul(Tensor::zeros({2, 0}), Tensor::zeros({0, 2}))),
            (std::vector<double>(4, 0.0)));
  EXPECT_EQ(cuda_.matmul(Tensor::zeros({0, 2}), Tensor::zeros({2, 3})).size(),
            0U);
  EXPECT_EQ(list(cuda_.sum_axis(Tensor::zeros({2, 0}), 1)),
            (std::vector<double>(2, 0.0)));
  EXPECT_TRUE(fake_cuda::calls().empty());
  EXPECT_EQ(cuda_.stats(), ExecutionStats{});
}

TEST_F(CudaBackend, LeavesOtherOperationsToTheCpu) {
  fake_cuda::plant({});
  const Tensor tensor({2, 2}, {1, 5, 3, 2});
  const auto plan = ReducePlan::make(Reduction::max, tensor, 1);
  EXPECT_EQ(list(cuda_.run(plan, {tensor})), (std::vector<double>{5, 3}));
  EXPECT_TRUE(fake_cuda::calls().empty());
}

// Sizes on every way through the executor: short, whole, cut.
class CudaBackendSizes : public CudaBackend,
                         public testing::WithParamInterface<std::size_t> {};

TEST_P(CudaBackendSizes, MultiplyOrdinaryOperands) {
  const std::size_t n = GetParam();
  const Tensor left = integers({n, n}, 1);
  const Tensor right = integers({n, n}, 2);
  EXPECT_EQ(list(cuda_.matmul(left, right)), list(cpu_.matmul(left, right)));
}

TEST_P(CudaBackendSizes, MultiplyTransposedOperands) {
  const std::size_t n = GetParam();
  const Tensor left = integers({n, n + 3}, 1);
  const Tensor right = integers({n + 1, n}, 2);
  EXPECT_EQ(list(cuda_.matmul_with_transpose(left, right, true, true)),
            list(cpu_.matmul_with_transpose(left, right, true, true)));
}

TEST_P(CudaBackendSizes, MultiplyResultsOfTheSameExecutor) {
  const std::size_t n = GetParam();
  const Tensor left = integers({n, n}, 1);
  const Tensor right = integers({n, n}, 2);
  const Tensor squared = cuda_.matmul(left, right);
  EXPECT_EQ(list(cuda_.matmul(squared, squared)),
            list(cpu_.matmul(squared, squared)));
}

INSTANTIATE_TEST_SUITE_P(, CudaBackendSizes,
                         testing::Values(1, 2, 31, 90, 128, 200, 257, 520));

TEST_F(CudaBackend, CutsALargeReductionAndGivesTheSame) {
  const Tensor tensor = integers({700001, 7}, 3);
  EXPECT_EQ(list(cuda_.sum_axis(tensor, 1)), list(cpu_.sum_axis(tensor, 1)));
  EXPECT_GT(cuda_.stats().gemm_requests, 1U);
}

TEST_F(CudaBackend, CutsALargeMatrixAndGivesTheSame) {
  const Tensor left = integers({3000, 1500}, 4);
  const Tensor right = integers({1500, 3}, 5);
  EXPECT_EQ(list(cuda_.matmul(left, right)), list(cpu_.matmul(left, right)));
  EXPECT_GT(cuda_.stats().gemm_requests, 1U);
  EXPECT_EQ(cuda_.stats().host_to_device_bytes,
            (3000U * 1500U + 1500U * 3U) * 8U);
  EXPECT_EQ(cuda_.stats().device_to_host_bytes, 3000U * 3U * 8U);
}

TEST_F(CudaBackend, CutsALargeBatchAndGivesTheSame) {
  const Tensor left = integers({80, 300, 200}, 6);
  const Tensor right = integers({80, 200, 5}, 7);
  EXPECT_EQ(list(cuda_.matmul(left, right)), list(cpu_.matmul(left, right)));
  EXPECT_GT(cuda_.stats().gemm_requests, 1U);
}

TEST_F(CudaBackend, CutsARepeatedMatrixAndGivesTheSame) {
  const Tensor left = integers({300, 100}, 6);
  const Tensor right = integers({100, 100, 50}, 7);
  EXPECT_EQ(list(cuda_.matmul(left, right)), list(cpu_.matmul(left, right)));
  EXPECT_GT(cuda_.stats().gemm_requests, 1U);
}

TEST_F(CudaBackend, ServesManyThreads) {
  const Tensor small = integers({20, 20}, 1);
  const Tensor large = integers({260, 260}, 2);
  const auto small_product = list(cpu_.matmul(small, small));
  const auto large_product = list(cpu_.matmul(large, large));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(list(cuda_.matmul(small, small)), small_product);
        EXPECT_EQ(list(cuda_.matmul(large, large)), large_product);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cuda_.stats().gemm_requests, 80U);
}

TEST_F(CudaBackend, HoldsOffEmulationThatTheEnvironmentAsksFor) {
  const Tensor third({1, 2}, {1.0 / 3.0, 0.1});
  const Tensor other({2, 1}, {0.7, 0.3});
  setenv("CUBLAS_EMULATE_DOUBLE_PRECISION", "1", 1);
  const double emulated = fake_cuda_context().matmul(third, other).item();
  unsetenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
  EXPECT_EQ(emulated, fake_cuda_context().matmul(third, other).item());
}

}  // namespace
}  // namespace tandem
