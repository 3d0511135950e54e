// What a build without CUDA answers.
#include <tandem/tensor/error.h>

#include "execution/cuda_backend.h"

namespace tandem {

std::shared_ptr<Backend> make_cuda_backend(std::size_t, const CudaOptions&) {
  throw ExecutionError(
      ExecutionStage::feature,
      "cuda: not in this build: it was configured with TANDEM_CUDA=OFF");
}

}  // namespace tandem
