// The symbolic names of cublasStatus_t of cublas_api.h.
#include "cuda/status_names.h"

namespace tandem::cuda {
namespace {

constexpr StatusName names[] = {
    {0, "CUBLAS_STATUS_SUCCESS"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED"},
    {7, "CUBLAS_STATUS_INVALID_VALUE"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR"},
};

}  // namespace

std::span<const StatusName> blas_status_names() { return names; }

}  // namespace tandem::cuda
