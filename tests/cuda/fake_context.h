// An execution context over the fake CUDA libraries: the real loader and
// backend, on host memory.
#pragma once

#include <tandem/execution/context.h>

#include <string>

#include "fake_cuda/control.h"

namespace tandem {

inline std::string fake_cuda_folder(int major = 13) {
  return std::string(FAKE_CUDA_ROOT) + "/" + std::to_string(major);
}

inline CudaOptions fake_cuda_options(int major = 13) {
  CudaOptions options;
  options.library_directories = fake_cuda_folder(major);
  return options;
}

inline ExecutionContext fake_cuda_context(std::size_t ordinal = 0) {
  return ExecutionContext::cuda(ordinal, fake_cuda_options());
}

}  // namespace tandem
