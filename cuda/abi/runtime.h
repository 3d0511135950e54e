// The CUDA runtime's C interface, as far as we call it (libcudart).
//
// Names, values and argument order are those of cuda_runtime_api.h, the same
// for majors 12 and 13; nothing here passes a struct.
#pragma once

#include <cstddef>

namespace tandem::cuda::abi {

/// cudaError_t.
enum class RuntimeStatus : int { success = 0, memory_allocation = 2 };

/// cudaMemcpyKind.
enum class CopyKind : int { host_to_device = 1, device_to_host = 2 };

struct OpaqueStream;
using RuntimeStream = OpaqueStream*;
struct OpaqueEvent;
using RuntimeEvent = OpaqueEvent*;

inline constexpr unsigned int host_register_default = 0;
inline constexpr unsigned int stream_non_blocking = 1;
inline constexpr unsigned int event_disable_timing = 2;

#define TANDEM_CUDA_RUNTIME_SYMBOLS(X)                                         \
  X(runtime_version, cudaRuntimeGetVersion, RuntimeStatus(int*))               \
  X(last_error, cudaGetLastError, RuntimeStatus())                             \
  X(allocate, cudaMalloc, RuntimeStatus(void**, std::size_t))                  \
  X(release, cudaFree, RuntimeStatus(void*))                                   \
  X(host_register, cudaHostRegister,                                           \
    RuntimeStatus(void*, std::size_t, unsigned int))                           \
  X(host_unregister, cudaHostUnregister, RuntimeStatus(void*))                 \
  X(copy_async, cudaMemcpyAsync,                                               \
    RuntimeStatus(void*, const void*, std::size_t, CopyKind, RuntimeStream))   \
  X(stream_create, cudaStreamCreateWithFlags,                                  \
    RuntimeStatus(RuntimeStream*, unsigned int))                               \
  X(stream_destroy, cudaStreamDestroy, RuntimeStatus(RuntimeStream))           \
  X(stream_synchronize, cudaStreamSynchronize, RuntimeStatus(RuntimeStream))   \
  X(stream_wait_event, cudaStreamWaitEvent,                                    \
    RuntimeStatus(RuntimeStream, RuntimeEvent, unsigned int))                  \
  X(event_create, cudaEventCreateWithFlags,                                    \
    RuntimeStatus(RuntimeEvent*, unsigned int))                                \
  X(event_record, cudaEventRecord, RuntimeStatus(RuntimeEvent, RuntimeStream)) \
  X(event_synchronize, cudaEventSynchronize, RuntimeStatus(RuntimeEvent))      \
  X(event_destroy, cudaEventDestroy, RuntimeStatus(RuntimeEvent))

}  // namespace tandem::cuda::abi
