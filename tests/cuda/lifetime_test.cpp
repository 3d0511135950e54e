// Executors and their results across forks, at exit and across devices.
#include <gtest/gtest.h>
#include <tandem/execution/context.h>
#include <tandem/tensor/error.h>

#include <optional>
#include <string>
#include <vector>

#include "cuda/child_process.h"
#include "cuda/fake_context.h"
#include "fake_cuda/control.h"

namespace tandem {
namespace {

// Large enough to be left in pinned memory.
Tensor large_result(const ExecutionContext& context) {
  return context.matmul(Tensor::ones({200, 50}), Tensor::ones({50, 100}));
}

std::string sum_of(const Tensor& tensor) {
  double sum = 0.0;
  for (const double value : tensor.values()) sum += value;
  return std::to_string(static_cast<long>(sum));
}

std::size_t native_calls() {
  std::size_t total = 0;
  for (const auto& [function, count] : fake_cuda::calls()) total += count;
  return total;
}

TEST(CudaLifetime, KeepsResultsReadableInAForkedChild) {
  const ExecutionContext context = fake_cuda_context();
  const Tensor result = large_result(context);
  EXPECT_EQ(in_child([&] { return sum_of(result); }), "1000000");
}

TEST(CudaLifetime, RefusesRequestsInAForkedChild) {
  const ExecutionContext context = fake_cuda_context();
  fake_cuda::plant({});
  const std::string text = in_child([&] {
    try {
      large_result(context);
    } catch (const ExecutionError& error) {
      return std::string(to_string(error.stage())) + ": " + error.what() +
             ": " + std::to_string(native_calls()) + " native calls";
    }
    return std::string("no error");
  });
  EXPECT_EQ(text,
            "device: cuda: executor was made before a fork: CUDA cannot be "
            "used in the child process: 0 native calls");
}

TEST(CudaLifetime, ReleasesNothingInAForkedChild) {
  std::optional<ExecutionContext> context = fake_cuda_context();
  std::optional<Tensor> result = large_result(*context);
  fake_cuda::plant({});
  const std::string text = in_child([&] {
    result.reset();
    context.reset();
    return std::to_string(native_calls()) + " native calls";
  });
  EXPECT_EQ(text, "0 native calls");
  context.reset();
  result.reset();
  EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{});
}

TEST(CudaLifetime, EndsAForkedChildInPeace) {
  static std::optional<ExecutionContext> context = fake_cuda_context();
  static std::optional<Tensor> result = large_result(*context);
  EXPECT_EQ(in_child([] { return sum_of(*result); }, true), "1000000");
  result.reset();
  context.reset();
}

// Destroyed after every exit handler that the first executor registered.
std::optional<ExecutionContext> static_context;
std::optional<Tensor> static_result;

TEST(CudaLifetime, SurvivesExitWithALiveStaticExecutor) {
  EXPECT_EQ(in_child(
                [] {
                  static_context = fake_cuda_context();
                  static_result = large_result(*static_context);
                  return sum_of(*static_result);
                },
                true),
            "1000000");
}

TEST(CudaLifetime, ReleasesAStaticExecutorThatIsYoungerThanTheLibraries) {
  EXPECT_EQ(in_child(
                [] {
                  static const ExecutionContext context = fake_cuda_context();
                  return sum_of(large_result(context));
                },
                true),
            "1000000");
}

TEST(CudaLifetime, LetsResultsGoOnAnotherThreadsTime) {
  ExecutionContext context = fake_cuda_context();
  std::vector<Tensor> results;
  for (int i = 0; i < 10; ++i) results.push_back(large_result(context));
  context = ExecutionContext();
  results.clear();
  EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{});
}

TEST(CudaLifetime, DropsManyExecutorsWithoutATrace) {
  const ExecutionContext kept = fake_cuda_context();
  kept.matmul(Tensor::ones({1, 1}), Tensor::ones({1, 1}));
  const fake_cuda::Live before = fake_cuda::live();
  for (int i = 0; i < 100; ++i) {
    const ExecutionContext context = fake_cuda_context();
    context.matmul(Tensor::ones({1, 1}), Tensor::ones({1, 1}));
  }
  EXPECT_EQ(fake_cuda::live(), before);
}

}  // namespace
}  // namespace tandem
