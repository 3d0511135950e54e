// What only real hardware can show of results and errors.
#include <tandem/execution/context.h>
#include <tandem/execution/devices.h>
#include <tandem/tensor/error.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cuda/child_process.h"
#include "cuda/gpu_test_base.h"
#include "support/memory_probe.h"

namespace tandem {
namespace {

Tensor random_tensor(const Shape& shape, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(element_count(shape, "test"));
  for (double& value : values) value = uniform(bits);
  return Tensor(shape, values);
}

Tensor magnitudes(const Tensor& tensor) {
  std::vector<double> values;
  for (const double value : tensor.values()) values.push_back(std::abs(value));
  return Tensor(tensor.shape(), values);
}

std::vector<double> list(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

// The largest |got - want| over eps times the sum of the products' magnitudes.
double scaled_error(const Tensor& left, const Tensor& right,
                    const Tensor& product) {
  const ExecutionContext cpu;
  const Tensor want = cpu.matmul(left, right);
  const Tensor scale = cpu.matmul(magnitudes(left), magnitudes(right));
  double worst = 0.0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double error = std::abs(product.values()[i] - want.values()[i]);
    const double unit =
        std::numeric_limits<double>::epsilon() * scale.values()[i];
    worst = std::max(worst, error == 0.0 ? 0.0 : error / unit);
  }
  return worst;
}

// TANDEM_GPU_PRODUCTS sets how many; the whole of the promise is 20000.
TEST_F(Gpu, StaysNearTheCpuInRandomProducts) {
  std::mt19937_64 bits(39);
  const auto extent = [&](std::size_t most) { return 1 + bits() % most; };
  const std::size_t wanted = count_from("TANDEM_GPU_PRODUCTS", 500);
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t batch = i % 3 == 0 ? extent(5) : 1;
    const std::size_t inner = extent(300);
    const Tensor left = random_tensor({batch, extent(200), inner}, bits());
    const Tensor right = random_tensor({batch, inner, extent(200)}, bits());
    ASSERT_LT(scaled_error(left, right, gpu().matmul(left, right)), 16.0)
        << to_string(left.shape()) << " x " << to_string(right.shape());
  }
}

TEST_F(Gpu, StaysNearTheCpuInAProductThatIsCut) {
  const Tensor left = random_tensor({1700, 1100}, 1);
  const Tensor right = random_tensor({1100, 1300}, 2);
  EXPECT_LT(scaled_error(left, right, gpu().matmul(left, right)), 16.0);
  EXPECT_GT(gpu().stats().gemm_requests, 1U);
}

TEST_F(Gpu, GivesTheSameBitsOnEveryRun) {
  for (const std::size_t n : {7U, 64U, 300U, 1100U, 1700U}) {
    const Tensor left = random_tensor({n, n}, 1);
    const Tensor right = random_tensor({n, n}, 2);
    const std::vector<double> first = list(gpu().matmul(left, right));
    for (int run = 0; run < 5; ++run)
      ASSERT_EQ(list(gpu().matmul(left, right)), first);
    const ExecutionContext another = ExecutionContext::cuda();
    ASSERT_EQ(list(another.matmul(left, right)), first);
  }
}

TEST_F(Gpu, DoesNotHeedTheWishForEmulation) {
  const Tensor left = random_tensor({512, 512}, 1);
  const Tensor right = random_tensor({512, 512}, 2);
  const std::vector<double> native = list(gpu().matmul(left, right));
  setenv("CUBLAS_EMULATE_DOUBLE_PRECISION", "1", 1);
  setenv("CUBLAS_EMULATION_STRATEGY", "eager", 1);
  const ExecutionContext wished = ExecutionContext::cuda();
  EXPECT_EQ(list(wished.matmul(left, right)), native);
  unsetenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
  unsetenv("CUBLAS_EMULATION_STRATEGY");
}

TEST_F(Gpu, MultipliesMoreMatricesThanA16BitGridHolds) {
  constexpr std::size_t batch = 65538;
  std::vector<double> left(batch);
  std::vector<double> right(2 * batch);
  for (std::size_t i = 0; i < batch; ++i) {
    left[i] = static_cast<double>(i);
    right[2 * i] = 1.0;
    right[2 * i + 1] = 2.0;
  }
  const Tensor product =
      gpu().matmul(Tensor({batch, 1, 1}, left), Tensor({batch, 1, 2}, right));
  for (std::size_t i = 0; i < batch; ++i) {
    ASSERT_EQ(product.at({i, 0, 0}), static_cast<double>(i));
    ASSERT_EQ(product.at({i, 0, 1}), static_cast<double>(2 * i));
  }
}

TEST_F(Gpu, NeverReadsWhatAFreshResultHolds) {
  const Tensor left({2, 2}, {1, 2, 3, 4});
  const Tensor right({2, 2}, {5, 6, 7, 8});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t n = 1; n < 400; n += 7) {
    gpu().matmul(Tensor::full({n, n}, nan), Tensor::full({n, n}, nan));
    ASSERT_EQ(list(gpu().matmul(left, right)),
              (std::vector<double>{19, 22, 43, 50}));
  }
}

TEST_F(Gpu, StoresTheCanonicalNanInLargeResults) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::size_t n : {130U, 300U, 1100U, 2200U}) {
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<double> left(n, -1e308);
      std::vector<double> right(n, 4.0);
      left[at] = infinity;
      right[at] = 0.0;
      const Tensor product =
          gpu().matmul(Tensor({n, 1}, left), Tensor({1, n}, right));
      for (std::size_t i = 0; i < n * n; ++i) {
        const double want = left[i / n] * right[i % n];
        const double got = product.values()[i];
        ASSERT_TRUE(want == want ? got == want
                                 : std::bit_cast<std::uint64_t>(got) ==
                                       0x7ff8000000000000u)
            << n << ", " << at << ": element " << i << " is " << got;
      }
    }
  }
}

TEST_F(Gpu, RejectsOrdinalsBeyondTheDevices) {
  const std::size_t count = probe_cuda().devices.size();
  for (const std::size_t ordinal : {count, std::size_t{SIZE_MAX}}) {
    try {
      ExecutionContext::cuda(ordinal);
      FAIL() << "no error";
    } catch (const ExecutionError& error) {
      EXPECT_EQ(error.stage(), ExecutionStage::device);
    }
  }
}

TEST_F(Gpu, ReportsEveryDevice) {
  const DeviceReport report = probe_cuda();
  EXPECT_TRUE(report.problems.empty());
  EXPECT_EQ(report.libraries.size(), 4U);
  ASSERT_FALSE(report.devices.empty());
  EXPECT_GT(report.devices[0].memory_bytes, std::size_t{1} << 30);
}

TEST_F(Gpu, LeavesResultsReadableWhenItIsGoneAndInAChild) {
  const Tensor ones = Tensor::ones({300, 300});
  Tensor result = [&] {
    const ExecutionContext context = ExecutionContext::cuda();
    return context.matmul(ones, ones);
  }();
  EXPECT_EQ(result.at({299, 299}), 300.0);
  EXPECT_EQ(in_child([&] {
              return std::to_string(result.at({7, 7}));
            }),
            "300.000000");
}

TEST_F(Gpu, RefusesRequestsInAForkedChild) {
  EXPECT_EQ(in_child([&] {
              try {
                gpu().matmul(Tensor::ones({1, 1}), Tensor::ones({1, 1}));
              } catch (const ExecutionError& error) {
                return std::string(error.what());
              }
              return std::string("no error");
            }),
            "cuda: executor was made before a fork: CUDA cannot be used in "
            "the child process");
}

// Destroyed after the exit handlers of CUDA's libraries.
std::optional<ExecutionContext> static_context;
std::optional<Tensor> static_result;

TEST_F(Gpu, SurvivesExitWithALiveStaticExecutor) {
  // What a handle of cuBLAS holds by itself would be taken for lost.
  if (test::is_sanitized) GTEST_SKIP() << "a live handle looks like a leak";
  static_context = gpu();
  static_result =
      gpu().matmul(Tensor::ones({300, 300}), Tensor::ones({300, 300}));
  EXPECT_EQ(static_result->at({1, 1}), 300.0);
}

}  // namespace
}  // namespace tandem
