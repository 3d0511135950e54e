// Attention of one query to the keys and values of a cache.
#pragma once

#include <cstddef>

namespace tandem::cpu {

/// One query of one head. The sums of both products run along memory, so that
/// neither needs a copy of what is cached.
struct CachedQuery {
  std::size_t keys;          ///< that the query sees, at least 1
  std::size_t width;         ///< of the head
  const double* query;       ///< [width]
  const double* key_rows;    ///< [keys, width]
  const double* value_rows;  ///< [width, keys], value_stride from row to row
  std::size_t value_stride;
  double scale;     ///< of the scores
  double* weights;  ///< [keys], overwritten
  double* output;   ///< [width]
};

/// The bits are those of the product, scale, softmax, product by the rules of
/// the single operations.
void attend(const CachedQuery& query);

}  // namespace tandem::cpu
