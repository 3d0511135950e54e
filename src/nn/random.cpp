#include <tandem/nn/random.h>

#include <cmath>

#include "tensor/storage_access.h"

namespace tandem::nn {

std::uint64_t SplitMix64::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double SplitMix64::unit() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

Tensor glorot_uniform(std::size_t rows, std::size_t columns,
                      SplitMix64& generator) {
  const double limit = std::sqrt(6.0 / static_cast<double>(rows + columns));
  TensorBuilder builder(Shape{rows, columns}, "glorot_uniform");
  for (std::size_t i = 0; i < builder.size(); ++i) {
    builder.values()[i] = limit * (2.0 * generator.unit() - 1.0);
  }
  return builder.finish();
}

}  // namespace tandem::nn
