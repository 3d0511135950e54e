#include "cuda/product.h"

#include <tandem/tensor/error.h>

#include <cstdint>
#include <string>

namespace tandem::cuda {
namespace {

// Bytes of all arrays together stay within the signed range that pointers and
// cuBLAS's 64-bit sizes share.
constexpr std::size_t most_elements =
    static_cast<std::size_t>(INT64_MAX) / sizeof(double) / 4;

[[noreturn]] void reject(const Product& product) {
  throw ExecutionError(ExecutionStage::allocate,
                       "cuda: packed operands are too large: batch " +
                           std::to_string(product.batch) + ", rows " +
                           std::to_string(product.rows) + ", inner " +
                           std::to_string(product.inner) + ", columns " +
                           std::to_string(product.columns));
}

std::size_t count(const Product& product, std::size_t rows,
                  std::size_t columns) {
  std::size_t elements = product.batch;
  for (const std::size_t extent : {rows, columns}) {
    if (elements > most_elements / extent) reject(product);
    elements *= extent;
  }
  return elements;
}

}  // namespace

PackedSizes packed_sizes(const Product& product) {
  return {count(product, product.rows, product.inner),
          count(product, product.inner, product.columns),
          count(product, product.rows, product.columns)};
}

}  // namespace tandem::cuda
