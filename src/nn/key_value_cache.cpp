#include "nn/key_value_cache.h"

#include <algorithm>
#include <cmath>

#include "cpu/cached_attention.h"
#include "tensor/storage_access.h"

namespace tandem::nn {
namespace {

std::unique_ptr<double[]> take(const Shape& shape) {
  return std::make_unique_for_overwrite<double[]>(
      element_count(shape, "session"));
}

}  // namespace

KeyValueCache::KeyValueCache(const DecoderConfig& config, std::size_t batch,
                             std::size_t capacity)
    : config_(config),
      batch_(batch),
      capacity_(capacity),
      keys_(take({batch, config.key_value_heads, capacity, config.head_width})),
      values_(
          take({batch, config.key_value_heads, capacity, config.head_width})),
      weights_(take({capacity})) {}

void KeyValueCache::put(const double* keys, const double* values,
                        std::size_t tokens, std::size_t first) {
  const std::size_t width = config_.head_width;
  const std::size_t heads = config_.key_value_heads;
  for (std::size_t row = 0; row < batch_ * tokens; ++row) {
    const std::size_t position = first + row % tokens;
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t lane = row / tokens * heads + head;
      const std::size_t from = (row * heads + head) * width;
      std::copy_n(keys + from, width,
                  keys_.get() + lane * lane_size() + position * width);
      double* const to = values_.get() + lane * lane_size() + position;
      for (std::size_t i = 0; i < width; ++i) {
        to[i * capacity_] = values[from + i];
      }
    }
  }
}

void KeyValueCache::attend(const double* queries, std::size_t tokens,
                           std::size_t first, double* output) const {
  const std::size_t group = config_.heads / config_.key_value_heads;
  const std::size_t width = config_.head_width;
  cpu::CachedQuery query{};
  query.width = width;
  query.value_stride = capacity_;
  query.scale = 1.0 / std::sqrt(static_cast<double>(width));
  query.weights = weights_.get();
  for (std::size_t row = 0; row < batch_ * tokens; ++row) {
    query.keys = first + row % tokens + 1;
    for (std::size_t head = 0; head < config_.heads; ++head) {
      const std::size_t lane =
          row / tokens * config_.key_value_heads + head / group;
      query.query = queries + (row * config_.heads + head) * width;
      query.key_rows = keys_.get() + lane * lane_size();
      query.value_rows = values_.get() + lane * lane_size();
      query.output = output + (row * config_.heads + head) * width;
      cpu::attend(query);
    }
  }
}

Tensor KeyValueCache::keys(std::size_t length) const {
  const std::size_t lanes = batch_ * config_.key_value_heads;
  const std::size_t width = config_.head_width;
  TensorBuilder copy(Shape{lanes, length, width}, "session");
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::copy_n(keys_.get() + lane * lane_size(), length * width,
                copy.values() + lane * length * width);
  }
  return copy.finish();
}

Tensor KeyValueCache::transposed_values(std::size_t length) const {
  const std::size_t rows =
      batch_ * config_.key_value_heads * config_.head_width;
  TensorBuilder copy(
      Shape{batch_ * config_.key_value_heads, config_.head_width, length},
      "session");
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(values_.get() + row * capacity_, length,
                copy.values() + row * length);
  }
  return copy.finish();
}

}  // namespace tandem::nn
