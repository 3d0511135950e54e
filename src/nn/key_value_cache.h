// KeyValueCache: what one block remembers of the tokens it has seen.
#pragma once

#include <tandem/nn/decoder_config.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tandem::nn {

/// A lane is one key/value head of one text. All memory is taken at once; it is
/// private to its session, so that it can be written in place, unlike a tensor.
class KeyValueCache {
 public:
  KeyValueCache(const DecoderConfig& config, std::size_t batch,
                std::size_t capacity);

  /// `keys` and `values` are [batch * tokens, key_value_heads * head width];
  /// they are put at positions from `first`.
  void put(const double* keys, const double* values, std::size_t tokens,
           std::size_t first);

  /// Queries [batch * tokens, heads * head width] at positions from `first`,
  /// whose keys were put -> mixed values of the same shape. Reads the cache
  /// where it lies.
  void attend(const double* queries, std::size_t tokens, std::size_t first,
              double* output) const;

  /// Copies for a device: [batch * key_value_heads, length, head width], and
  /// [batch * key_value_heads, head width, length].
  Tensor keys(std::size_t length) const;
  Tensor transposed_values(std::size_t length) const;

 private:
  std::size_t lane_size() const { return capacity_ * config_.head_width; }

  DecoderConfig config_;
  std::size_t batch_;
  std::size_t capacity_;
  std::unique_ptr<double[]> keys_;    // [lanes, capacity, head width]
  std::unique_ptr<double[]> values_;  // [lanes, head width, capacity]
  std::unique_ptr<double[]>
      weights_;  // [capacity], while one query is worked on
};

}  // namespace tandem::nn
