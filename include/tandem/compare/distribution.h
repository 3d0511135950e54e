// Distribution: how the differences of two tensors are spread.
#pragma once

#include <tandem/compare/comparison.h>
#include <tandem/execution/criterion.h>
#include <tandem/export.h>

#include <array>
#include <cstddef>
#include <span>

namespace tandem::compare {

/// Counts of elements; distributions of several tensors add up.
struct TANDEM_API Distribution {
  static constexpr int lowest_decade = -8;
  static constexpr int highest_decade = 8;

  /// By ratio to what is allowed: equal; then one count for each decade d from
  /// the lowest to the highest, of ratios above 10^(d-1) (or above 0) and up to
  /// 10^d; then what is larger, or not finite.
  std::array<std::size_t, highest_decade - lowest_decade + 3> ratio{};
  /// By ulp distance: entry i counts distances of i binary digits: 0; 1; 2 and
  /// 3; 4 to 7; ...
  std::array<std::size_t, 65> ulps{};

  void add(double expected, double actual, const Criterion& criterion = {});
  Distribution& operator+=(const Distribution& other);
};

/// Of tensors of one shape. Throws ShapeError.
TANDEM_API Distribution distribution(const Tensor& expected,
                                     const Tensor& actual,
                                     const Criterion& criterion = {});

}  // namespace tandem::compare
