#include "cuda/gemm_arguments.h"

namespace tandem::cuda {

GemmArguments gemm_arguments(const Product& product) {
  const auto rows = static_cast<std::int64_t>(product.rows);
  const auto columns = static_cast<std::int64_t>(product.columns);
  const auto inner = static_cast<std::int64_t>(product.inner);
  GemmArguments arguments;
  arguments.m = columns;
  arguments.n = rows;
  arguments.k = inner;
  arguments.alpha = product.alpha;
  arguments.lda = columns;
  arguments.stride_a = inner * columns;
  arguments.ldb = inner;
  arguments.stride_b = rows * inner;
  arguments.ldc = columns;
  arguments.stride_c = rows * columns;
  arguments.batch_count = static_cast<std::int64_t>(product.batch);
  return arguments;
}

}  // namespace tandem::cuda
