// Memory over many requests and executors, and the caller's current device.
#include <dlfcn.h>
#include <tandem/compare/snapshot.h>
#include <tandem/execution/devices.h>

#include <iostream>

#include "cuda/gpu_test_base.h"
#include "support/memory_probe.h"

namespace tandem {
namespace {

using test::resident_bytes;

// The runtime that the library took, asked as a caller of CUDA would.
class Runtime {
 public:
  Runtime() {
    for (const LibraryReport& library : probe_cuda().libraries) {
      if (library.name != "libcudart") continue;
      void* const opened = dlopen(library.file.c_str(), RTLD_NOW);
      find(opened, "cudaMemGetInfo", memory_);
      find(opened, "cudaGetDevice", get_device_);
      find(opened, "cudaSetDevice", set_device_);
    }
  }

  std::size_t free_bytes() const {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(memory_(&free, &total), 0);
    return free;
  }
  int device() const {
    int device = -1;
    EXPECT_EQ(get_device_(&device), 0);
    return device;
  }
  void set_device(int device) const { EXPECT_EQ(set_device_(device), 0); }

 private:
  template <class Function>
  static void find(void* library, const char* symbol, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, symbol));
  }

  int (*memory_)(std::size_t*, std::size_t*) = nullptr;
  int (*get_device_)(int*) = nullptr;
  int (*set_device_)(int) = nullptr;
};

compare::Snapshot fixture_snapshot(const ExecutionContext& execution) {
  const compare::DecoderFixture fixture = compare::decoder_fixture();
  nn::SplitMix64 generator(fixture.seed);
  return compare::take_snapshot(nn::Decoder(fixture.config, generator),
                                fixture.input, execution);
}

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Does the work once, then many times, and expects no memory to be gone.
template <class Work>
void expect_flat(const Runtime& runtime, std::size_t times, const Work& work) {
  for (int i = 0; i < 20; ++i) work();
  const std::size_t host = resident_bytes();
  const std::size_t device = runtime.free_bytes();
  for (std::size_t i = 0; i < times; ++i) work();
  EXPECT_LT(resident_bytes(), host + 4 * mebibyte);
  EXPECT_GT(runtime.free_bytes() + 4 * mebibyte, device);
  std::cout << times << " times: host "
            << static_cast<long>(resident_bytes()) - static_cast<long>(host)
            << " bytes more, device "
            << static_cast<long>(device) -
                   static_cast<long>(runtime.free_bytes())
            << " bytes more\n";
}

TEST_F(Gpu, KeepsMemoryFlatOverManyRequests) {
  if (test::is_sanitized) GTEST_SKIP() << test::sanitizers_keep_memory;
  const Tensor one = Tensor::ones({1, 1});
  expect_flat(Runtime(), count_from("TANDEM_GPU_REQUESTS", 20000),
              [&] { gpu().matmul(one, one); });
}

TEST_F(Gpu, KeepsMemoryFlatOverManyExecutors) {
  if (test::is_sanitized) GTEST_SKIP() << test::sanitizers_keep_memory;
  const Tensor one = Tensor::ones({1, 1});
  expect_flat(Runtime(), count_from("TANDEM_GPU_EXECUTORS", 50), [&] {
    const ExecutionContext context = ExecutionContext::cuda();
    context.matmul(one, one);
  });
}

TEST_F(Gpu, LeavesTheCallersDeviceCurrent) {
  const Runtime runtime;
  const std::size_t devices = probe_cuda().devices.size();
  if (devices < 2) GTEST_SKIP() << "needs two GPUs, there is " << devices;
  const Tensor large = Tensor::ones({600, 600});
  for (const int mine : {0, 1}) {
    runtime.set_device(mine);
    const auto other = static_cast<std::size_t>(1 - mine);
    const ExecutionContext context = ExecutionContext::cuda(other);
    EXPECT_EQ(context.device().ordinal, other);
    EXPECT_EQ(context.matmul(large, large).at({599, 599}), 600.0);
    EXPECT_EQ(runtime.device(), mine);
  }
}

TEST_F(Gpu, TakesTheWholeSnapshotOnTheSecondDevice) {
  if (probe_cuda().devices.size() < 2) GTEST_SKIP() << "needs two GPUs";
  const auto on_second = fixture_snapshot(ExecutionContext::cuda(1));
  EXPECT_EQ(on_second.stats.gemm_requests, 65U);
  EXPECT_TRUE(compare::compare(
                  compare::named_tensors(fixture_snapshot(ExecutionContext())),
                  compare::named_tensors(on_second))
                  .passed);
}

TEST_F(Gpu, LeavesTheCpusFiguresAlone) {
  const auto before = fixture_snapshot(ExecutionContext());
  const auto on_gpu = fixture_snapshot(gpu());
  const auto after = fixture_snapshot(ExecutionContext());
  EXPECT_EQ(on_gpu.stats, (ExecutionStats{65, 43728, 21608}));
  const Criterion exact{0.0, 0.0};
  EXPECT_TRUE(compare::compare(compare::named_tensors(before),
                               compare::named_tensors(after), exact)
                  .passed);
}

TEST_F(Gpu, CountsTheThreeTinyOperations) {
  const ExecutionContext context = ExecutionContext::cuda();
  compare::tiny_arithmetic(context);
  EXPECT_EQ(context.stats(), (ExecutionStats{3, 240, 64}));
}

}  // namespace
}  // namespace tandem
