#include "cuda/chunks.h"

#include <algorithm>

namespace tandem::cuda {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Below this a second launch costs more than the overlap saves.
constexpr std::size_t smallest_split = 32 * mebibyte;
constexpr std::size_t smallest_chunk = 8 * mebibyte;
constexpr std::size_t chunks_wanted = 8;

// Fewer rows leave most of a large GPU idle.
constexpr std::size_t fewest_rows = 512;
constexpr std::size_t row_granularity = 128;

std::size_t divide_up(std::size_t total, std::size_t unit) {
  return (total + unit - 1) / unit;
}

// Splits the rows of one matrix; the right operand is sent once, before them.
void split_rows(const Product& product, std::size_t batch,
                std::vector<Chunk>& chunks) {
  const std::size_t row_bytes =
      (product.inner + product.columns) * sizeof(double);
  const std::size_t target =
      std::max(smallest_chunk, row_bytes * product.rows / chunks_wanted);
  const std::size_t rows = std::max(
      fewest_rows, divide_up(divide_up(target, row_bytes), row_granularity) *
                       row_granularity);
  for (std::size_t row = 0; row < product.rows; row += rows)
    chunks.push_back({batch, 1, row, std::min(rows, product.rows - row)});
}

}  // namespace

std::vector<Chunk> chunks_of(const Product& product) {
  const PackedSizes sizes = packed_sizes(product);
  const std::size_t total =
      sizes.left_bytes() + sizes.right_bytes() + sizes.out_bytes();
  if (total < smallest_split) return {{0, product.batch, 0, product.rows}};
  const std::size_t target = std::max(smallest_chunk, total / chunks_wanted);
  const std::size_t one = total / product.batch;
  std::vector<Chunk> chunks;
  if (one > target) {
    for (std::size_t batch = 0; batch < product.batch; ++batch)
      split_rows(product, batch, chunks);
    return chunks;
  }
  const std::size_t batches = std::max<std::size_t>(1, target / one);
  for (std::size_t batch = 0; batch < product.batch; batch += batches)
    chunks.push_back(
        {batch, std::min(batches, product.batch - batch), 0, product.rows});
  return chunks;
}

}  // namespace tandem::cuda
