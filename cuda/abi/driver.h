// The CUDA driver's C interface, as far as we call it (libcuda.so.1).
//
// Names, values and argument order are those of cuda.h, the same for majors 12
// and 13; nothing here passes a struct.
#pragma once

#include <cstddef>

namespace tandem::cuda::abi {

/// CUresult.
enum class DriverStatus : int { success = 0 };

using DriverDevice = int;
struct OpaqueContext;
using DriverContext = OpaqueContext*;

/// CUdevice_attribute: those we ask for.
enum class DriverAttribute : int {
  compute_capability_major = 75,
  compute_capability_minor = 76,
  can_use_host_pointer_for_registered_memory = 91,
};

#define TANDEM_CUDA_DRIVER_SYMBOLS(X)                                     \
  X(driver_version, cuDriverGetVersion, DriverStatus(int*))               \
  X(init, cuInit, DriverStatus(unsigned int))                             \
  X(device_count, cuDeviceGetCount, DriverStatus(int*))                   \
  X(device, cuDeviceGet, DriverStatus(DriverDevice*, int))                \
  X(device_name, cuDeviceGetName, DriverStatus(char*, int, DriverDevice)) \
  X(device_total_memory, cuDeviceTotalMem_v2,                             \
    DriverStatus(std::size_t*, DriverDevice))                             \
  X(device_attribute, cuDeviceGetAttribute,                               \
    DriverStatus(int*, DriverAttribute, DriverDevice))                    \
  X(primary_context_retain, cuDevicePrimaryCtxRetain,                     \
    DriverStatus(DriverContext*, DriverDevice))                           \
  X(primary_context_release, cuDevicePrimaryCtxRelease_v2,                \
    DriverStatus(DriverDevice))                                           \
  X(context_push, cuCtxPushCurrent_v2, DriverStatus(DriverContext))       \
  X(context_pop, cuCtxPopCurrent_v2, DriverStatus(DriverContext*))

}  // namespace tandem::cuda::abi
