#include "support/test_values.h"

#include <cmath>

namespace tandem::test {

double TestValues::next() {
  const std::uint64_t bits = bits_();
  if (kind_ == ValueKind::integer) {
    return static_cast<double>(bits % 17) - 8.0;
  }
  const double significand = 1.0 + static_cast<double>(bits >> 12) * 0x1p-52;
  const int exponent = static_cast<int>(bits % 13) - 6;
  const double magnitude = std::ldexp(significand, exponent);
  return (bits >> 8 & 1) != 0 ? -magnitude : magnitude;
}

std::vector<double> TestValues::list(std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = next();
  return values;
}

}  // namespace tandem::test
