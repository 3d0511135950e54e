// The fake libcublas, except that the product of number
// FAKE_CUBLAS_SPOILED_PRODUCT, counted from 0, gets its first cell wrong by
// FAKE_CUBLAS_ERROR (1 if unset; `nan` for NaN).
#define cublasDgemmStridedBatched_64 sound_gemm
#include "fake_cuda/blas.cpp"
#undef cublasDgemmStridedBatched_64

namespace {

bool is_spoiled() {
  static std::size_t count = 0;
  const char* spoiled = std::getenv("FAKE_CUBLAS_SPOILED_PRODUCT");
  return spoiled != nullptr && count++ == std::strtoull(spoiled, nullptr, 10);
}

double planted_error() {
  const char* error = std::getenv("FAKE_CUBLAS_ERROR");
  return error == nullptr ? 1.0 : std::strtod(error, nullptr);
}

}  // namespace

extern "C" FAKE_CUDA_API int cublasDgemmStridedBatched_64(
    Blas* handle, int operation_a, int operation_b, std::int64_t m,
    std::int64_t n, std::int64_t k, const double* alpha, const double* a,
    std::int64_t lda, long long stride_a, const double* b, std::int64_t ldb,
    long long stride_b, const double* beta, double* c, std::int64_t ldc,
    long long stride_c, std::int64_t batch_count) {
  const int status = sound_gemm(handle, operation_a, operation_b, m, n, k,
                                alpha, a, lda, stride_a, b, ldb, stride_b, beta,
                                c, ldc, stride_c, batch_count);
  const Lock lock(world().mutex);
  if (status == success && is_spoiled()) {
    handle->stream->push([c] { *c += planted_error(); });
  }
  return status;
}
