// Device: one GPU with its primary context retained, and the scope in which it
// is the calling thread's current one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cuda/api.h"
#include "cuda/process.h"

namespace tandem::cuda {

/// A device whose primary context stays retained while this lives.
class Device {
 public:
  /// Throws ExecutionError, stage driver where CUDA does not start, stage
  /// device where there is no such device or it cannot be used.
  static std::shared_ptr<const Device> open(const Api& api,
                                            std::size_t ordinal);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  std::size_t ordinal() const { return ordinal_; }
  /// Whether the device reads and writes pinned memory by its host address.
  bool reaches_pinned_memory() const { return reaches_pinned_memory_; }
  const Api& api() const { return api_; }
  const RuntimeTable& runtime() const { return api_.toolkit->runtime; }
  const BlasTable& blas() const { return api_.toolkit->blas; }

  /// Throws ExecutionError, stage device, in a forked child and while the
  /// process ends.
  void require_usable() const;

  /// Whether native objects may still be released.
  bool permits_native_calls() const { return mark_.permits_native_calls(); }
  bool is_inherited() const { return mark_.is_inherited(); }

 private:
  friend class CurrentDevice;
  friend class ReleaseScope;
  Device(const Api& api, std::size_t ordinal, abi::DriverDevice device,
         abi::DriverContext context, bool reaches_pinned_memory);

  abi::DriverStatus push() const;
  abi::DriverStatus pop() const noexcept;

  Api api_;
  std::size_t ordinal_;
  abi::DriverDevice device_;
  abi::DriverContext context_;
  bool reaches_pinned_memory_;
  ProcessMark mark_;
};

/// Makes a device the thread's current one for a scope; the caller's own is
/// current again after it.
class CurrentDevice {
 public:
  /// Throws ExecutionError, stage device.
  explicit CurrentDevice(const Device& device);
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  /// Ends the scope early. Throws ExecutionError, stage device, where the
  /// caller's own device could not be made current again.
  void leave();

 private:
  const Device& device_;
  const Device* outer_;
  bool entered_ = true;
};

/// The same for destructors: it never throws and is false where native calls
/// must not or cannot be made, for example in a forked child.
class ReleaseScope {
 public:
  explicit ReleaseScope(const Device& device) noexcept;
  ~ReleaseScope();
  ReleaseScope(const ReleaseScope&) = delete;
  ReleaseScope& operator=(const ReleaseScope&) = delete;

  explicit operator bool() const { return permitted_; }

 private:
  const Device& device_;
  bool permitted_;
  bool pushed_ = false;
};

/// Starts the driver and counts the devices.
std::size_t count_devices(const DriverApi& driver);

}  // namespace tandem::cuda
