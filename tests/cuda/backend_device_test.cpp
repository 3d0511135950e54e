// The CUDA backend over the fake libraries on one device among several.
#include <tandem/tensor/error.h>

#include <cstdint>
#include <string>

#include "cuda/backend_test_base.h"

namespace tandem {
namespace {

TEST_F(CudaBackend, SaysWhichDeviceItIs) {
  EXPECT_EQ(cuda_.device(), (Device{DeviceKind::cuda, 0}));
  EXPECT_EQ(fake_cuda_context(1).device(), (Device{DeviceKind::cuda, 1}));
}

TEST_F(CudaBackend, WorksOnItsOwnDeviceOnly) {
  const ExecutionContext second = fake_cuda_context(1);
  const std::size_t first_device = fake_cuda::device_bytes(0);
  const Tensor large = integers({300, 300}, 2);
  EXPECT_EQ(list(second.matmul(large, large)), list(cpu_.matmul(large, large)));
  EXPECT_EQ(fake_cuda::device_bytes(0), first_device);
  EXPECT_GT(fake_cuda::device_bytes(1), 0U);
}

TEST_F(CudaBackend, LeavesTheCallersDeviceCurrent) {
  fake_cuda::enter_device(1);
  const Tensor large = integers({300, 300}, 2);
  {
    const ExecutionContext context = fake_cuda_context(0);
    EXPECT_EQ(fake_cuda::current_device(), 1);
    context.matmul(large, large);
    EXPECT_EQ(fake_cuda::current_device(), 1);
    context.release_unused_memory();
    EXPECT_EQ(fake_cuda::current_device(), 1);
  }
  EXPECT_EQ(fake_cuda::current_device(), 1);
  fake_cuda::leave_device();
}

TEST_F(CudaBackend, TakesAnotherExecutorsResultsAsOrdinaryMemory) {
  const ExecutionContext second = fake_cuda_context(1);
  const Tensor large = integers({300, 300}, 2);
  const Tensor of_second = second.matmul(large, large);
  EXPECT_EQ(list(cuda_.matmul(of_second, large)),
            list(cpu_.matmul(of_second, large)));
}

std::string ordinal_error(std::size_t ordinal) {
  try {
    fake_cuda_context(ordinal);
  } catch (const ExecutionError& error) {
    EXPECT_EQ(error.stage(), ExecutionStage::device);
    return error.what();
  }
  return "no error";
}

TEST_F(CudaBackend, RejectsAnOrdinalBeyondTheDevices) {
  EXPECT_EQ(ordinal_error(2),
            "cuda: no such device: ordinal is 2, device count is 2");
}

TEST_F(CudaBackend, DoesNotNarrowTheOrdinal) {
  EXPECT_EQ(ordinal_error(SIZE_MAX),
            "cuda: no such device: ordinal is 18446744073709551615, device "
            "count is 2");
  EXPECT_EQ(ordinal_error(std::size_t{1} << 32),
            "cuda: no such device: ordinal is 4294967296, device count is 2");
}

}  // namespace
}  // namespace tandem
