// The one way from a context to the CUDA backend.
#pragma once

#include <tandem/execution/cuda_options.h>

#include <cstddef>
#include <memory>

#include "execution/backend.h"

namespace tandem {

/// Opens CUDA and initialises the device. Throws ExecutionError; of stage
/// `feature` where this build has no CUDA.
std::shared_ptr<Backend> make_cuda_backend(std::size_t ordinal,
                                           const CudaOptions& options);

}  // namespace tandem
