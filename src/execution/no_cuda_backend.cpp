// What a build without CUDA answers.
#include <tandem/execution/devices.h>
#include <tandem/tensor/error.h>

#include "execution/cuda_backend.h"

namespace tandem {
namespace {

constexpr char not_built[] =
    "cuda: not in this build: it was configured with TANDEM_CUDA=OFF";

}  // namespace

std::shared_ptr<Backend> make_cuda_backend(std::size_t, const CudaOptions&) {
  throw ExecutionError(ExecutionStage::feature, not_built);
}

DeviceReport probe_cuda(const CudaOptions&) {
  DeviceReport report;
  report.problems.push_back(
      {not_built, "configure and build with TANDEM_CUDA=ON"});
  return report;
}

}  // namespace tandem
