// A fake libcublasLt: nothing but its version.
#include <cstddef>

#include "fake_cuda/control.h"

extern "C" FAKE_CUDA_API std::size_t cublasLtGetVersion() {
  return FAKE_CUBLAS_LT_VERSION;
}
