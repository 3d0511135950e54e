// Reproducible values for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tandem::test {

enum class ValueKind {
  /// Full significands over many magnitudes and both signs: their sum depends
  /// on the order, and a fused product shows.
  rounding,
  /// Small integers: exact in any order.
  integer,
};

class TestValues {
 public:
  TestValues(ValueKind kind, std::uint64_t seed) : kind_(kind), bits_(seed) {}

  double next();
  std::vector<double> list(std::size_t count);

 private:
  ValueKind kind_;
  std::mt19937_64 bits_;
};

}  // namespace tandem::test
