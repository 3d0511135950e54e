// A fake libcuda.so.1.
#include <cstdio>

#include "fake_cuda/world.h"

using namespace fake_cuda;

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int not_initialized = 3;
constexpr int no_device = 100;
constexpr int invalid_device = 101;
constexpr int invalid_context = 201;

bool is_device(int device) {
  return device >= 0 && device < world().device_count;
}

// The planted status, or the one that every call gives before cuInit.
int begin(const char* function) {
  if (const int planted = world().enter(function)) return planted;
  return world().initialised ? success : not_initialized;
}

}  // namespace

extern "C" {

FAKE_CUDA_API int cuDriverGetVersion(int* version) {
  const Lock lock(world().mutex);
  if (const int planted = world().enter("cuDriverGetVersion")) return planted;
  *version = world().driver_version;
  return success;
}

FAKE_CUDA_API int cuInit(unsigned int flags) {
  const Lock lock(world().mutex);
  if (const int planted = world().enter("cuInit")) return planted;
  if (flags != 0) return invalid_value;
  if (world().device_count == 0) return no_device;
  world().initialised = true;
  return success;
}

FAKE_CUDA_API int cuDeviceGetCount(int* count) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuDeviceGetCount")) return status;
  *count = world().device_count;
  return success;
}

FAKE_CUDA_API int cuDeviceGet(int* device, int ordinal) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuDeviceGet")) return status;
  if (!is_device(ordinal)) return invalid_device;
  *device = ordinal;
  return success;
}

FAKE_CUDA_API int cuDeviceGetName(char* name, int length, int device) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuDeviceGetName")) return status;
  if (!is_device(device)) return invalid_device;
  std::snprintf(name, static_cast<std::size_t>(length), "Fake device %d",
                device);
  return success;
}

FAKE_CUDA_API int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuDeviceTotalMem_v2")) return status;
  if (!is_device(device)) return invalid_device;
  *bytes = world().device_memory;
  return success;
}

FAKE_CUDA_API int cuDeviceGetAttribute(int* value, int attribute, int device) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuDeviceGetAttribute")) return status;
  if (!is_device(device)) return invalid_device;
  switch (attribute) {
    case 75:  // compute capability 9.0
      *value = 9;
      return success;
    case 76:
      *value = 0;
      return success;
    case 91:  // registered host memory has one address for both sides
      *value = 1;
      return success;
    default:
      return invalid_value;
  }
}

FAKE_CUDA_API int cuDevicePrimaryCtxRetain(Context** context, int device) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuDevicePrimaryCtxRetain")) return status;
  if (!is_device(device)) return invalid_device;
  world().contexts[device].device = device;
  ++world().contexts[device].retained;
  *context = &world().contexts[device];
  return success;
}

FAKE_CUDA_API int cuDevicePrimaryCtxRelease_v2(int device) {
  const Lock lock(world().mutex);
  const int planted = begin("cuDevicePrimaryCtxRelease_v2");
  if (!is_device(device)) return invalid_device;
  if (world().contexts[device].retained == 0) return invalid_context;
  --world().contexts[device].retained;
  return planted;
}

FAKE_CUDA_API int cuCtxPushCurrent_v2(Context* context) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuCtxPushCurrent_v2")) return status;
  if (context == nullptr || context->retained == 0) return invalid_context;
  context_stack().push_back(context);
  return success;
}

FAKE_CUDA_API int cuCtxPopCurrent_v2(Context** context) {
  const Lock lock(world().mutex);
  if (const int status = begin("cuCtxPopCurrent_v2")) return status;
  if (context_stack().empty()) return invalid_context;
  *context = context_stack().back();
  context_stack().pop_back();
  return success;
}

}  // extern "C"
