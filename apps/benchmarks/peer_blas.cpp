// OpenBLAS or BLIS, whichever this file is linked with, through the interface
// that both have.
#include "peer.h"

extern "C" {
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m,
            const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* b, const int* ldb, const double* beta,
            double* c, const int* ldc);
void dgemv_(const char* transpose, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda,
            const double* x, const int* incx, const double* beta, double* y,
            const int* incy);
#if defined(TANDEM_PEER_OPENBLAS)
char* openblas_get_corename();
int openblas_get_num_threads();
#else
int bli_arch_query_id();
const char* bli_arch_string(int id);
long bli_thread_get_num_threads();
#endif
}

namespace peer {

#if defined(TANDEM_PEER_OPENBLAS)
std::string kernel() { return openblas_get_corename(); }
unsigned threads() { return static_cast<unsigned>(openblas_get_num_threads()); }
#else
std::string kernel() { return bli_arch_string(bli_arch_query_id()); }
unsigned threads() {
  const long count = bli_thread_get_num_threads();
  return count < 1 ? 1 : static_cast<unsigned>(count);
}
#endif

// Row-major operands are the transposes of column-major ones, so the product
// is asked for with its operands exchanged; a single row or column is asked for
// as the matrix-vector product that it is.
void multiply(const Case& shape, const double* left, const double* right,
              double* output) {
  const int m = static_cast<int>(shape.m);
  const int n = static_cast<int>(shape.n);
  const int k = static_cast<int>(shape.k);
  const int ldb = shape.right_transposed ? k : n;
  const int step = 1;
  const double one = 1.0;
  const double zero = 0.0;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const double* a = left + i * shape.m * shape.k;
    const double* b = right + i * shape.k * shape.n;
    double* c = output + i * shape.m * shape.n;
    if (m == 1) {
      dgemv_(shape.right_transposed ? "T" : "N", &ldb,
             shape.right_transposed ? &n : &k, &one, b, &ldb, a, &step, &zero,
             c, &step);
    } else if (n == 1) {
      dgemv_("T", &k, &m, &one, a, &k, b, &step, &zero, c, &step);
    } else {
      dgemm_(shape.right_transposed ? "T" : "N", "N", &n, &m, &k, &one, b, &ldb,
             a, &k, &zero, c, &n);
    }
  }
}

}  // namespace peer
