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
  abi::DriverContext context = nullptr;
  check(driver.primary_context_retain(&context, device), ExecutionStage::device,
        "cuDevicePrimaryCtxRetain");
  return std::shared_ptr<const Device>(
      new Device(api, ordinal, device, context));
}

Device::Device(const Api& api, std::size_t ordinal, abi::DriverDevice device,
               abi::DriverContext context)
    : api_(api), ordinal_(ordinal), device_(device), context_(context) {}

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

void Device::pop() const noexcept {
  // Left pushed, our context would become the caller's, so a failure is worth
  // a second try; there is nobody to tell.
  abi::DriverContext popped = nullptr;
  if (api_.driver->call.context_pop(&popped) != abi::DriverStatus::success)
    api_.driver->call.context_pop(&popped);
}

CurrentDevice::CurrentDevice(const Device& device) : device_(device) {
  check(device.push(), ExecutionStage::device, "cuCtxPushCurrent_v2");
}

ReleaseScope::ReleaseScope(const Device& device) noexcept
    : device_(device),
      entered_(device.permits_native_calls() &&
               device.push() == abi::DriverStatus::success) {}

ReleaseScope::~ReleaseScope() {
  if (entered_) device_.pop();
}

}  // namespace tandem::cuda
