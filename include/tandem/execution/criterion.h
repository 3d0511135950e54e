// Criterion: when a device's value counts as equal to the CPU's.
#pragma once

#include <tandem/export.h>

namespace tandem {

/// |actual - expected| <= absolute + relative |expected|, for finite values; a
/// nonfinite value on either side is never within. The defaults were fixed
/// before any measurement.
struct TANDEM_API Criterion {
  double absolute = 1e-12;
  double relative = 1e-10;

  bool admits(double expected, double actual) const;

  friend bool operator==(const Criterion&, const Criterion&) = default;
};

}  // namespace tandem
