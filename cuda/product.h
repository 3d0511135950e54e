// Product: what the device is asked to multiply, free of tensors and of CUDA.
#pragma once

#include <cstddef>

namespace tandem::cuda {

/// out[b] = alpha * left[b] x right[b] for b in [0, batch): left is packed
/// row-major [batch, rows, inner], right [batch, inner, columns], out
/// [batch, rows, columns]. No size is zero.
struct Product {
  std::size_t batch = 1;
  std::size_t rows = 1;
  std::size_t columns = 1;
  std::size_t inner = 1;
  double alpha = 1.0;
};

/// Elements and bytes of a product's three packed arrays.
struct PackedSizes {
  std::size_t left;
  std::size_t right;
  std::size_t out;

  std::size_t left_bytes() const { return left * sizeof(double); }
  std::size_t right_bytes() const { return right * sizeof(double); }
  std::size_t out_bytes() const { return out * sizeof(double); }
};

/// Throws ExecutionError, stage allocate, where a packed array (a broadcast
/// operand is repeated in it) or all together are beyond any address space.
PackedSizes packed_sizes(const Product& product);

}  // namespace tandem::cuda
