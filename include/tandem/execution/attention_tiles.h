// AttentionTiles: how large a piece of attention is worked on at once.
#pragma once

#include <cstddef>

namespace tandem {

/// Both positive. Attention that returns only its output then never stores a
/// matrix of queries by keys.
struct AttentionTiles {
  std::size_t query_rows = 1;
  std::size_t key_rows = 1;

  friend bool operator==(const AttentionTiles&,
                         const AttentionTiles&) = default;
};

}  // namespace tandem
