#include "cuda/owned.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "cuda/checked.h"

namespace tandem::cuda {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{1} << 21;

// Nobody is told of a release that failed, nor is the next caller of CUDA.
void forget(const ToolkitApi& api, abi::RuntimeStatus status) {
  if (status != abi::RuntimeStatus::success) api.runtime.last_error();
}

[[noreturn]] void reject_host_memory(std::size_t bytes) {
  throw ExecutionError(
      ExecutionStage::allocate,
      "cuda: host memory is exhausted: " + std::to_string(bytes) + " bytes");
}

}  // namespace

Stream make_stream(const std::shared_ptr<const Device>& device) {
  abi::RuntimeStream stream = nullptr;
  check(device->runtime().stream_create(&stream, abi::stream_non_blocking),
        ExecutionStage::handle, "cudaStreamCreateWithFlags");
  return {device, stream, [](const ToolkitApi& api, abi::RuntimeStream old) {
            forget(api, api.runtime.stream_destroy(old));
          }};
}

Event make_event(const std::shared_ptr<const Device>& device) {
  abi::RuntimeEvent event = nullptr;
  check(device->runtime().event_create(&event, abi::event_disable_timing),
        ExecutionStage::handle, "cudaEventCreateWithFlags");
  return {device, event, [](const ToolkitApi& api, abi::RuntimeEvent old) {
            forget(api, api.runtime.event_destroy(old));
          }};
}

BlasHandle make_blas_handle(const std::shared_ptr<const Device>& device) {
  abi::BlasHandle handle = nullptr;
  check(device->blas().create(&handle), ExecutionStage::handle,
        "cublasCreate_v2");
  return {device, handle, [](const ToolkitApi& api, abi::BlasHandle old) {
            api.blas.destroy(old);
          }};
}

std::unique_ptr<DeviceBuffer> DeviceBuffer::make(
    const std::shared_ptr<const Device>& device, std::size_t bytes) {
  void* memory = nullptr;
  check(device->runtime().allocate(&memory, bytes), ExecutionStage::allocate,
        "cudaMalloc");
  return std::unique_ptr<DeviceBuffer>(
      new DeviceBuffer({device, memory,
                        [](const ToolkitApi& api, void* old) {
                          forget(api, api.runtime.release(old));
                        }},
                       bytes));
}

void PinnedBuffer::Free::operator()(void* memory) const noexcept {
  // While the process ends the memory may still be registered.
  if (!process_is_ending()) std::free(memory);
}

PinnedBuffer::Memory PinnedBuffer::host_memory(std::size_t bytes) {
  const std::size_t alignment = bytes < huge_page ? page : huge_page;
  Memory memory(std::aligned_alloc(alignment, bytes));
  if (memory == nullptr) reject_host_memory(bytes);
  // Fewer, larger pages are faulted in and pinned much faster.
  if (alignment == huge_page) madvise(memory.get(), bytes, MADV_HUGEPAGE);
  return memory;
}

std::unique_ptr<PinnedBuffer> PinnedBuffer::make(
    const std::shared_ptr<const Device>& device, std::size_t bytes) {
  const std::size_t unit = bytes < huge_page ? page : huge_page;
  if (bytes > SIZE_MAX - unit) reject_host_memory(bytes);
  const std::size_t rounded = (bytes + unit - 1) / unit * unit;
  Memory memory = host_memory(rounded);
  void* address = memory.get();
  check(device->runtime().host_register(address, rounded,
                                        abi::host_register_default),
        ExecutionStage::allocate, "cudaHostRegister");
  return std::unique_ptr<PinnedBuffer>(
      new PinnedBuffer(std::move(memory),
                       {device, address,
                        [](const ToolkitApi& api, void* old) {
                          forget(api, api.runtime.host_unregister(old));
                        }},
                       rounded));
}

}  // namespace tandem::cuda
