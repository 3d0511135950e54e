#include "cuda/device.h"

#include "cuda/checked.h"

namespace tandem::cuda {
namespace {

[[noreturn]] void reject_ordinal(std::size_t ordinal, std::size_t count) {
  throw ExecutionError(ExecutionStage::device,
                       "cuda: no such device: ordinal is " +
                           std::to_string(ordinal) + ", device count is " +
                           std::to_string(count));
}

// The device that this thread has entered, so that what is released inside a
// request needs no way in of its own.
thread_local const Device* current = nullptr;

}  // namespace

std::size_t count_devices(const DriverApi& driver) {
  check(driver.call.init(0), ExecutionStage::driver, "cuInit");
  int count = 0;
  check(driver.call.device_count(&count), ExecutionStage::device,
        "cuDeviceGetCount");
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::shared_ptr<const Device> Device::open(const Api& api,
                                           std::size_t ordinal) {
  const DriverTable& driver = api.driver->call;
  // Compared before anything is narrowed: the driver counts in int.
  const std::size_t count = count_devices(*api.driver);
  if (ordinal >= count) reject_ordinal(ordinal, count);
  abi::DriverDevice device = 0;
  check(driver.device(&device, static_cast<int>(ordinal)),
        ExecutionStage::device, "cuDeviceGet");
  int shares_addresses = 0;
  check(driver.device_attribute(
            &shares_addresses,
            abi::DriverAttribute::can_use_host_pointer_for_registered_memory,
            device),
        ExecutionStage::device, "cuDeviceGetAttribute");
  abi::DriverContext context = nullptr;
  check(driver.primary_context_retain(&context, device), ExecutionStage::device,
        "cuDevicePrimaryCtxRetain");
  return std::shared_ptr<const Device>(
      new Device(api, ordinal, device, context, shares_addresses != 0));
}

Device::Device(const Api& api, std::size_t ordinal, abi::DriverDevice device,
               abi::DriverContext context, bool reaches_pinned_memory)
    : api_(api),
      ordinal_(ordinal),
      device_(device),
      context_(context),
      reaches_pinned_memory_(reaches_pinned_memory) {}

Device::~Device() {
  if (permits_native_calls())
    api_.driver->call.primary_context_release(device_);
}

void Device::require_usable() const {
  if (is_inherited()) {
    throw ExecutionError(ExecutionStage::device,
                         "cuda: executor was made before a fork: CUDA cannot "
                         "be used in the child process");
  }
  if (process_is_ending()) {
    throw ExecutionError(ExecutionStage::device,
                         "cuda: the process is ending: CUDA cannot be used");
  }
}

abi::DriverStatus Device::push() const {
  return api_.driver->call.context_push(context_);
}

abi::DriverStatus Device::pop() const noexcept {
  abi::DriverContext popped = nullptr;
  const abi::DriverStatus status = api_.driver->call.context_pop(&popped);
  if (status == abi::DriverStatus::success) return status;
  // Left pushed, our context would become the caller's: worth a second try.
  return api_.driver->call.context_pop(&popped);
}

CurrentDevice::CurrentDevice(const Device& device)
    : device_(device), outer_(current) {
  check(device.push(), ExecutionStage::device, "cuCtxPushCurrent_v2");
  current = &device;
}

CurrentDevice::~CurrentDevice() {
  if (!entered_) return;
  current = outer_;
  device_.pop();
}

void CurrentDevice::leave() {
  entered_ = false;
  current = outer_;
  check(device_.pop(), ExecutionStage::device, "cuCtxPopCurrent_v2");
}

ReleaseScope::ReleaseScope(const Device& device) noexcept
    : device_(device), permitted_(device.permits_native_calls()) {
  if (!permitted_ || current == &device) return;
  // Not released, an object is lost for good: worth a second try.
  pushed_ = device.push() == abi::DriverStatus::success ||
            device.push() == abi::DriverStatus::success;
  permitted_ = pushed_;
}

ReleaseScope::~ReleaseScope() {
  if (pushed_) device_.pop();
}

}  // namespace tandem::cuda
