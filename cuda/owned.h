// Owning types: each native object is bound to its device and released there,
// once, and only where native calls are still allowed.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "cuda/device.h"

namespace tandem::cuda {

/// A native handle with the call that releases it.
template <typename Handle>
class Owned {
 public:
  using Release = void (*)(const ToolkitApi&, Handle);

  Owned(std::shared_ptr<const Device> device, Handle handle, Release release)
      : device_(std::move(device)), handle_(handle), release_(release) {}
  Owned(Owned&& other) noexcept
      : device_(std::move(other.device_)),
        handle_(other.handle_),
        release_(other.release_) {}
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (device_ == nullptr) return;
    if (const ReleaseScope scope(*device_); scope)
      release_(*device_->api().toolkit, handle_);
  }

  Handle get() const { return handle_; }
  const std::shared_ptr<const Device>& device() const { return device_; }

 private:
  std::shared_ptr<const Device> device_;
  Handle handle_;
  Release release_;
};

using Stream = Owned<abi::RuntimeStream>;
using Event = Owned<abi::RuntimeEvent>;
using BlasHandle = Owned<abi::BlasHandle>;

// Each of these wants its device to be the current one, and throws
// ExecutionError, stage handle.
Stream make_stream(const std::shared_ptr<const Device>& device);
Event make_event(const std::shared_ptr<const Device>& device);
BlasHandle make_blas_handle(const std::shared_ptr<const Device>& device);

/// Memory on the device.
class DeviceBuffer {
 public:
  /// Throws ExecutionError, stage allocate. The device must be current.
  static std::unique_ptr<DeviceBuffer> make(
      const std::shared_ptr<const Device>& device, std::size_t bytes);

  void* data() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  DeviceBuffer(Owned<void*> memory, std::size_t bytes)
      : memory_(std::move(memory)), bytes_(bytes) {}

  Owned<void*> memory_;
  std::size_t bytes_;
};

/// Ordinary host memory that is registered with the driver, so that copies run
/// at the speed of the bus. Not being the driver's own, it stays readable after
/// a fork and after CUDA is gone.
class PinnedBuffer {
 public:
  /// Throws ExecutionError, stage allocate. The device must be current.
  static std::unique_ptr<PinnedBuffer> make(
      const std::shared_ptr<const Device>& device, std::size_t bytes);

  void* data() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  using Memory = std::unique_ptr<void, Free>;

  PinnedBuffer(Memory memory, Owned<void*> registration, std::size_t bytes)
      : memory_(std::move(memory)),
        registration_(std::move(registration)),
        bytes_(bytes) {}

  static Memory host_memory(std::size_t bytes);

  Memory memory_;
  Owned<void*> registration_;  // ends before the memory is freed
  std::size_t bytes_;
};

}  // namespace tandem::cuda
