// Random operands that tell orders of summation apart, specials among them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace tandem::cpu {

/// Full random mantissas over sixteen binades: sums of such values nearly
/// always change when they are added in another order or rounded once less.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : bits_(seed) {}

  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(bits_() % bound);
  }

  /// From 1 to `most`, small values as likely as large ones on a log scale.
  std::size_t extent(std::size_t most) {
    const auto magnitude =
        below(static_cast<std::size_t>(std::bit_width(most))) + 1;
    return std::min(most, below(std::size_t{1} << magnitude) + 1);
  }

  double ordinary() {
    const std::uint64_t bits = bits_();
    const std::uint64_t exponent = 1023 - 8 + (bits >> 52 & 15);
    return std::bit_cast<double>((bits & 0x800fffffffffffff) | exponent << 52);
  }

  double special() {
    static constexpr double values[] = {
        0.0,
        -0.0,
        std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::max(),
        std::numeric_limits<double>::denorm_min()};
    switch (below(4)) {
      case 0:  // any NaN, its payload and sign included
        return std::bit_cast<double>(bits_() | 0x7ff0000000000001);
      case 1:  // a subnormal
        return std::bit_cast<double>(bits_() & 0x800fffffffffffff);
      default:
        return values[below(std::size(values))];
    }
  }

  /// `count` values, one in `rarity` of them special; 0 for none.
  std::vector<double> many(std::size_t count, std::size_t rarity) {
    std::vector<double> values(count);
    for (double& value : values) {
      value = rarity != 0 && below(rarity) == 0 ? special() : ordinary();
    }
    return values;
  }

 private:
  std::mt19937_64 bits_;
};

/// The bits that a result must have: any NaN is the canonical one.
inline std::uint64_t stored_bits(double value) {
  return value != value ? 0x7ff8000000000000
                        : std::bit_cast<std::uint64_t>(value);
}

}  // namespace tandem::cpu
