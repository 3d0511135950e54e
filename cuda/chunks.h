// Chunks: a large product cut so that copies and arithmetic overlap. The cut
// depends on the shape alone, so results do not change from run to run.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/product.h"

namespace tandem::cuda {

/// Either whole matrices of the batch, or rows of a single one.
struct Chunk {
  std::size_t first_batch = 0;
  std::size_t batches = 1;
  std::size_t first_row = 0;
  std::size_t rows = 0;
};

std::vector<Chunk> chunks_of(const Product& product);

}  // namespace tandem::cuda
