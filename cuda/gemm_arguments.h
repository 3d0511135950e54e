// The adapter: a row-major product as the arguments of a column-major call.
#pragma once

#include <cstdint>

#include "cuda/abi/blas.h"
#include "cuda/product.h"

namespace tandem::cuda {

/// Arguments of cublasDgemmStridedBatched_64, in its names. Operand a is the
/// product's right one and b its left one.
struct GemmArguments {
  abi::BlasOperation operation_a = abi::BlasOperation::none;
  abi::BlasOperation operation_b = abi::BlasOperation::none;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  double alpha = 1.0;
  std::int64_t lda = 0;
  long long stride_a = 0;
  std::int64_t ldb = 0;
  long long stride_b = 0;
  double beta = 0.0;
  std::int64_t ldc = 0;
  long long stride_c = 0;
  std::int64_t batch_count = 0;
};

/// Packed row-major bytes are the transposed matrix column by column, and
/// (left x right)^T = right^T x left^T: so the operands change places and no
/// transposition is asked for.
GemmArguments gemm_arguments(const Product& product);

}  // namespace tandem::cuda
