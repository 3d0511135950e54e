// A fake libcublas, of the major that FAKE_CUDA_MAJOR names.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "fake_cuda/world.h"

using namespace fake_cuda;

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

constexpr int success = 0;
constexpr int not_initialized = 1;
constexpr int invalid_value = 7;
constexpr int execution_failed = 13;

constexpr int on_device = 1;  // a pointer mode
constexpr int pedantic = 2;
constexpr int illegal_address = 700;  // as the runtime will report it

int begin(const char* function, Blas* handle) {
  if (const int planted = world().enter(function)) return planted;
  return world().handles.count(handle) != 0 ? success : not_initialized;
}

// One operand of a column-major call.
struct Matrix {
  const double* values;
  bool transposed;
  std::int64_t rows;  // as stored
  std::int64_t columns;
  std::int64_t leading;
  long long stride;

  bool leading_is_enough() const {
    return leading >= std::max<std::int64_t>(1, rows);
  }
  double at(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    if (transposed) std::swap(row, column);
    return values[batch * stride + column * leading + row];
  }
  std::size_t footprint(std::int64_t batches) const {
    return static_cast<std::size_t>((batches - 1) * stride +
                                    (columns - 1) * leading + rows) *
           sizeof(double);
  }
};

Matrix operand(const double* values, int operation, std::int64_t rows,
               std::int64_t columns, std::int64_t leading, long long stride) {
  if (operation == 0) return {values, false, rows, columns, leading, stride};
  return {values, true, columns, rows, leading, stride};
}

// Registered host memory has one address for both sides: attribute 91 says so.
bool is_reachable(const void* memory, std::size_t bytes) {
  return world().on_device(memory, bytes) ||
         world().is_registered(memory, bytes);
}

// Read when the call is made, or by the device when its turn has come.
class Scalar {
 public:
  Scalar(const Blas& handle, const double* at)
      : on_device_(handle.pointer_mode == on_device ? at : nullptr),
        value_(on_device_ == nullptr ? *at : 0.0) {}

  bool is_readable() const {
    return on_device_ == nullptr || is_reachable(on_device_, sizeof(double));
  }
  double value() const { return on_device_ == nullptr ? value_ : *on_device_; }

 private:
  const double* on_device_;
  double value_;
};

struct Gemm {
  std::int64_t m, n, k, batches;
  Scalar alpha, beta;
  Matrix a, b;
  double* c;
  std::int64_t ldc;
  long long stride_c;
  bool emulated;  // arithmetic that is not IEEE double

  double dot(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    double sum = 0.0;
    // From the end: a device promises no order of its own.
    for (std::int64_t i = k; i-- > 0;) {
      const double product = a.at(batch, row, i) * b.at(batch, i, column);
      sum +=
          emulated ? static_cast<double>(static_cast<float>(product)) : product;
    }
    return sum;
  }

  void run() const {
    const double factor = alpha.value();
    const double factor_of_old = beta.value();
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      for (std::int64_t column = 0; column < n; ++column) {
        for (std::int64_t row = 0; row < m; ++row) {
          double& cell = c[batch * stride_c + column * ldc + row];
          const double value = factor * dot(batch, row, column);
          // With beta 0 the old value may be anything, NaN included.
          cell = factor_of_old == 0.0 ? value : value + factor_of_old * cell;
        }
      }
    }
  }
};

bool emulation_is_wanted() {
  const char* wanted = std::getenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
  return wanted != nullptr && std::strcmp(wanted, "1") == 0;
}

bool is_in_bounds(const Gemm& gemm) {
  const Matrix c{gemm.c, false, gemm.m, gemm.n, gemm.ldc, gemm.stride_c};
  return gemm.alpha.is_readable() && gemm.beta.is_readable() &&
         is_reachable(gemm.a.values, gemm.a.footprint(gemm.batches)) &&
         is_reachable(gemm.b.values, gemm.b.footprint(gemm.batches)) &&
         is_reachable(gemm.c, c.footprint(gemm.batches));
}

struct Sum {
  const double* values;
  std::int64_t count;
  std::int64_t increment;
  double* result;

  // Nothing is summed where there is nothing, or no way to go.
  bool is_empty() const { return count <= 0 || increment <= 0; }

  double magnitudes() const {
    if (const auto forced = world().forced_sum) return *forced;
    double sum = 0.0;
    if (is_empty()) return sum;
    // From the end, as products are.
    for (std::int64_t i = count; i-- > 0;)
      sum += std::fabs(values[i * increment]);
    return sum;
  }
  bool reads_in_bounds() const {
    const auto span = static_cast<std::size_t>((count - 1) * increment + 1);
    return is_empty() || is_reachable(values, span * sizeof(double));
  }
};

// Queues work of the handle, which tells whether it kept to memory that the
// device reaches.
template <typename Work>
int launch(const Blas& handle, const char* what, Work work) {
  if (handle.context != world().current() || handle.stream == nullptr ||
      handle.stream->context != handle.context) {
    world().violate(std::string(what) +
                    " was queued on another device than its handle's");
    return execution_failed;
  }
  handle.stream->push([=, context = handle.context] {
    if (work()) return;
    world().violate(std::string(what) +
                    " reads or writes outside an allocation");
    context->sticky_error = illegal_address;
  });
  return success;
}

template <typename Set>
int set(const char* function, Blas* handle, bool valid, Set assign) {
  const Lock lock(world().mutex);
  if (const int status = begin(function, handle)) return status;
  if (!valid) return invalid_value;
  assign(*handle);
  return success;
}

}  // namespace

extern "C" {

FAKE_CUDA_API int cublasGetProperty(int property, int* value) {
  const Lock lock(world().mutex);
  if (const int planted = world().enter("cublasGetProperty")) return planted;
  if (property < 0 || property > 2) return invalid_value;
  constexpr int version[] = {FAKE_CUDA_MAJOR, 1, 0};
  *value = version[property];
  return success;
}

FAKE_CUDA_API int cublasCreate_v2(Blas** handle) {
  const Lock lock(world().mutex);
  if (const int planted = world().enter("cublasCreate_v2")) return planted;
  *handle = new Blas;
  (*handle)->context = world().current();
  world().handles.insert(*handle);
  return success;
}

FAKE_CUDA_API int cublasDestroy_v2(Blas* handle) {
  const Lock lock(world().mutex);
  const int planted = world().enter("cublasDestroy_v2");
  if (world().handles.erase(handle) == 0) return not_initialized;
  delete handle;
  return planted;
}

FAKE_CUDA_API int cublasSetStream_v2(Blas* handle, Stream* stream) {
  return set("cublasSetStream_v2", handle, true,
             [&](Blas& blas) { blas.stream = stream; });
}

FAKE_CUDA_API int cublasSetWorkspace_v2(Blas* handle, void* memory,
                                        std::size_t bytes) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(memory) % 256 == 0;
  return set("cublasSetWorkspace_v2", handle,
             aligned && world().on_device(memory, bytes), [](Blas&) {});
}

FAKE_CUDA_API int cublasSetMathMode(Blas* handle, int mode) {
  return set("cublasSetMathMode", handle, mode >= 0 && mode <= 31,
             [=](Blas& blas) { blas.math_mode = mode; });
}

FAKE_CUDA_API int cublasGetMathMode(Blas* handle, int* mode) {
  return set("cublasGetMathMode", handle, mode != nullptr,
             [=](Blas& blas) { *mode = blas.math_mode; });
}

FAKE_CUDA_API int cublasSetAtomicsMode(Blas* handle, int mode) {
  return set("cublasSetAtomicsMode", handle, mode == 0 || mode == 1,
             [=](Blas& blas) { blas.atomics_mode = mode; });
}

FAKE_CUDA_API int cublasSetPointerMode_v2(Blas* handle, int mode) {
  return set("cublasSetPointerMode_v2", handle, mode == 0 || mode == 1,
             [=](Blas& blas) { blas.pointer_mode = mode; });
}

FAKE_CUDA_API int cublasDgemmStridedBatched_64(
    Blas* handle, int operation_a, int operation_b, std::int64_t m,
    std::int64_t n, std::int64_t k, const double* alpha, const double* a,
    std::int64_t lda, long long stride_a, const double* b, std::int64_t ldb,
    long long stride_b, const double* beta, double* c, std::int64_t ldc,
    long long stride_c, std::int64_t batch_count) {
  const Lock lock(world().mutex);
  if (const int status = begin("cublasDgemmStridedBatched_64", handle))
    return status;
  if (operation_a < 0 || operation_a > 2 || operation_b < 0 ||
      operation_b > 2 || m < 0 || n < 0 || k < 0 || batch_count < 0)
    return invalid_value;
  const Gemm gemm{m,
                  n,
                  k,
                  batch_count,
                  Scalar(*handle, alpha),
                  Scalar(*handle, beta),
                  operand(a, operation_a, m, k, lda, stride_a),
                  operand(b, operation_b, k, n, ldb, stride_b),
                  c,
                  ldc,
                  stride_c,
                  handle->math_mode != pedantic && emulation_is_wanted()};
  if (!gemm.a.leading_is_enough() || !gemm.b.leading_is_enough() ||
      ldc < std::max<std::int64_t>(1, m))
    return invalid_value;
  if (m == 0 || n == 0 || batch_count == 0) return success;
  return launch(*handle, "a product", [gemm] {
    if (!is_in_bounds(gemm)) return false;
    gemm.run();
    return true;
  });
}

FAKE_CUDA_API int cublasDasum_v2_64(Blas* handle, std::int64_t count,
                                    const double* values,
                                    std::int64_t increment, double* result) {
  const Lock lock(world().mutex);
  if (const int status = begin("cublasDasum_v2_64", handle)) return status;
  if (result == nullptr) return invalid_value;
  const bool asynchronous = handle->pointer_mode == on_device;
  const Sum sum{values, count, increment, result};
  const int status = launch(*handle, "a sum", [=] {
    const bool lands = asynchronous ? is_reachable(result, sizeof(double))
                                    : !world().on_device(result, 1);
    if (!sum.reads_in_bounds() || !lands) return false;
    *result = sum.magnitudes();
    return true;
  });
  // To the host the call returns only once the result is there.
  if (!asynchronous && status == success) handle->stream->run_all();
  return status;
}

}  // extern "C"
