// SplitMix64: the generator of initial values.
#pragma once

#include <tandem/export.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <cstdint>

namespace tandem::nn {

/// The seed is the raw state. Source: Steele, Lea and Flood, Fast Splittable
/// Pseudorandom Number Generators, 2014.
class TANDEM_API SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  /// Uniform in [0, 1): the upper 53 bits of a draw.
  double unit();
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

/// [rows, columns], uniform in [-a, a) with a = sqrt(6/(rows + columns)), drawn
/// row-major, one draw a value. Source: Glorot and Bengio, 2010.
TANDEM_API Tensor glorot_uniform(std::size_t rows, std::size_t columns,
                                 SplitMix64& generator);

}  // namespace tandem::nn
