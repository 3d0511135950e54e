// cuBLAS's C interface, as far as we call it (libcublas, libcublasLt).
//
// Names, values and argument order are those of cublas_api.h and cublasLt.h,
// the same for majors 12 and 13; nothing here passes a struct. Sizes are 64-bit
// in every call, so nothing is ever truncated to int.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/abi/runtime.h"

namespace tandem::cuda::abi {

/// cublasStatus_t.
enum class BlasStatus : int { success = 0 };

struct OpaqueBlas;
using BlasHandle = OpaqueBlas*;

/// cublasOperation_t.
enum class BlasOperation : int { none = 0, transpose = 1 };

/// cublasMath_t. Pedantic admits no reduced precision and no emulation.
enum class BlasMath : int { standard = 0, pedantic = 2 };

/// cublasPointerMode_t.
enum class BlasPointerMode : int { host = 0, device = 1 };

/// cublasAtomicsMode_t.
enum class BlasAtomics : int { not_allowed = 0, allowed = 1 };

/// libraryPropertyType.
enum class LibraryProperty : int { major = 0, minor = 1, patch = 2 };

#define TANDEM_CUDA_CUBLAS_LT_SYMBOLS(X) \
  X(version, cublasLtGetVersion, std::size_t())

#define TANDEM_CUDA_CUBLAS_SYMBOLS(X)                                      \
  X(property, cublasGetProperty, BlasStatus(LibraryProperty, int*))        \
  X(create, cublasCreate_v2, BlasStatus(BlasHandle*))                      \
  X(destroy, cublasDestroy_v2, BlasStatus(BlasHandle))                     \
  X(set_stream, cublasSetStream_v2, BlasStatus(BlasHandle, RuntimeStream)) \
  X(set_workspace, cublasSetWorkspace_v2,                                  \
    BlasStatus(BlasHandle, void*, std::size_t))                            \
  X(set_math_mode, cublasSetMathMode, BlasStatus(BlasHandle, BlasMath))    \
  X(math_mode, cublasGetMathMode, BlasStatus(BlasHandle, BlasMath*))       \
  X(set_atomics_mode, cublasSetAtomicsMode,                                \
    BlasStatus(BlasHandle, BlasAtomics))                                   \
  X(set_pointer_mode, cublasSetPointerMode_v2,                             \
    BlasStatus(BlasHandle, BlasPointerMode))                               \
  X(gemm_strided_batched, cublasDgemmStridedBatched_64,                    \
    BlasStatus(BlasHandle, BlasOperation, BlasOperation, std::int64_t,     \
               std::int64_t, std::int64_t, const double*, const double*,   \
               std::int64_t, long long, const double*, std::int64_t,       \
               long long, const double*, double*, std::int64_t, long long, \
               std::int64_t))                                              \
  X(sum_of_magnitudes, cublasDasum_v2_64,                                  \
    BlasStatus(BlasHandle, std::int64_t, const double*, std::int64_t,      \
               double*))

}  // namespace tandem::cuda::abi
