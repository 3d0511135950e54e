#include <tandem/tensor/float16.h>

#include <algorithm>
#include <bit>

namespace tandem {
namespace {

constexpr int double_fraction_bits = 52;
constexpr std::uint64_t double_bias = 1023;
constexpr std::uint64_t double_infinity = std::uint64_t{0x7ff}
                                          << double_fraction_bits;
constexpr std::uint64_t double_quiet = std::uint64_t{1}
                                       << (double_fraction_bits - 1);

/// A 16-bit format: sign, exponent, fraction.
template <int FractionBits>
struct Format {
  static constexpr int fraction_bits = FractionBits;
  static constexpr std::uint64_t bias = (1u << (14 - FractionBits)) - 1;
  static constexpr std::uint64_t infinity = 0x7fffu >> FractionBits
                                                           << FractionBits;
  static constexpr std::uint64_t quiet = 1u << (FractionBits - 1);
  static constexpr int dropped = double_fraction_bits - FractionBits;
};

// value / 2^shift to the nearest integer, ties to even; 0 < shift < 64.
std::uint64_t shift_to_nearest_even(std::uint64_t value, int shift) {
  const std::uint64_t quotient = value >> shift;
  const std::uint64_t rest = value & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const bool up = rest > half || (rest == half && (quotient & 1) != 0);
  return quotient + (up ? 1 : 0);
}

// Below the normal range: the fraction counts units of the least subnormal.
template <typename F>
std::uint64_t narrow_subnormal(std::uint64_t magnitude) {
  const std::uint64_t exponent = magnitude >> double_fraction_bits;
  const std::uint64_t lowest_normal = double_bias - F::bias + 1;
  const std::uint64_t below = lowest_normal - exponent;
  const std::uint64_t implicit = std::uint64_t{1} << double_fraction_bits;
  const std::uint64_t significand =
      (magnitude & (implicit - 1)) | (exponent == 0 ? 0 : implicit);
  // A shift by 54 or more leaves less than half a unit: zero.
  const std::uint64_t shift = static_cast<std::uint64_t>(F::dropped) + below;
  return shift_to_nearest_even(
      significand, static_cast<int>(std::min<std::uint64_t>(shift, 63)));
}

template <typename F>
std::uint64_t narrow_magnitude(std::uint64_t magnitude) {
  if (magnitude > double_infinity) {
    return (magnitude >> F::dropped & (F::quiet - 1)) | F::infinity | F::quiet;
  }
  const std::uint64_t rebias = (double_bias - F::bias) << double_fraction_bits;
  const std::uint64_t lowest_normal = std::uint64_t{1} << double_fraction_bits;
  if (magnitude < rebias + lowest_normal) {
    return narrow_subnormal<F>(magnitude);
  }
  // A carry out of the fraction goes to the exponent, up to infinity.
  return std::min(shift_to_nearest_even(magnitude - rebias, F::dropped),
                  F::infinity);
}

template <typename F>
std::uint16_t narrow(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 63 << 15;
  return static_cast<std::uint16_t>(
      sign | narrow_magnitude<F>(bits & ~(std::uint64_t{1} << 63)));
}

// The least subnormal of either format is far inside f64's normal range, so a
// product of two f64 is exact.
template <typename F>
double widen_magnitude(std::uint64_t magnitude) {
  const std::uint64_t wide = magnitude << F::dropped;
  if (magnitude >= F::infinity) {
    const bool is_nan = magnitude > F::infinity;
    return std::bit_cast<double>(wide | double_infinity |
                                 (is_nan ? double_quiet : 0));
  }
  if (magnitude >> F::fraction_bits == 0) {
    const auto least = std::bit_cast<double>(
        (double_bias - F::bias + 1 - F::fraction_bits) << double_fraction_bits);
    return static_cast<double>(magnitude) * least;
  }
  return std::bit_cast<double>(
      wide + ((double_bias - F::bias) << double_fraction_bits));
}

template <typename F>
double widen(std::uint16_t bits) {
  const double magnitude = widen_magnitude<F>(bits & 0x7fffu);
  const std::uint64_t sign = std::uint64_t{bits} >> 15 << 63;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
}

}  // namespace

Float16 Float16::from_double(double value) {
  return {narrow<Format<10>>(value)};
}

double Float16::to_double() const { return widen<Format<10>>(bits); }

Bfloat16 Bfloat16::from_double(double value) {
  return {narrow<Format<7>>(value)};
}

double Bfloat16::to_double() const { return widen<Format<7>>(bits); }

}  // namespace tandem
