// Float16 and Bfloat16: the two 16-bit formats as bit patterns, converted from
// f64 directly, so that a value is rounded once.
#pragma once

#include <tandem/export.h>

#include <cstdint>

namespace tandem {

/// IEEE binary16: 5 bits of exponent, 10 of fraction.
///
/// Both formats round to nearest, ties to even; keep subnormals and the sign
/// of zero; go to infinity beyond the largest finite value; and keep a NaN a
/// NaN, made quiet, with its sign and what fits of its payload.
struct TANDEM_API Float16 {
  std::uint16_t bits = 0;

  static Float16 from_double(double value);
  /// Exact; a signaling NaN becomes quiet.
  double to_double() const;
};

/// The upper half of an IEEE binary32: 8 bits of exponent, 7 of fraction.
struct TANDEM_API Bfloat16 {
  std::uint16_t bits = 0;

  static Bfloat16 from_double(double value);
  /// Exact; a signaling NaN becomes quiet.
  double to_double() const;
};

}  // namespace tandem
