// Comparison: two sets of named tensors, judged element by element.
#pragma once

#include <tandem/execution/criterion.h>
#include <tandem/export.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tandem::compare {

struct NamedTensor {
  std::string name;
  Tensor value;
};

enum class Finding {
  equal,           ///< every element is within the criterion
  differs,         ///< some element is not
  nonfinite,       ///< some element is NaN or infinite, on either side
  shape_mismatch,  ///< the shapes differ; no element was compared
  missing,         ///< only the expected set has it
  extra,           ///< only the actual set has it
};

/// The enumerator's name, with a space for the underscore.
TANDEM_API const char* to_string(Finding finding);

/// One element: where it is, what it is, how far off.
struct ElementDifference {
  std::size_t index = 0;                 ///< flat, row-major
  std::vector<std::size_t> coordinates;  ///< one per axis
  double expected = 0;
  double actual = 0;
  double absolute = 0;  ///< |actual - expected|; NaN where either is
  double relative = 0;  ///< absolute / |expected|; 0 where both are 0
  /// Representable values between the two; the largest count where either is
  /// NaN.
  std::uint64_t ulps = 0;
  /// absolute over what the criterion allows here. Above 1 if and only if the
  /// criterion does not admit the element.
  double ratio = 0;
};

struct TensorComparison {
  std::string name;
  Finding finding = Finding::equal;
  Shape expected_shape;
  Shape actual_shape;
  std::size_t count = 0;       ///< elements compared
  std::size_t mismatches = 0;  ///< elements outside the criterion
  std::size_t nonfinite = 0;   ///< elements not finite on either side
  /// The element of the largest ratio, the first of them; none if count is 0.
  std::optional<ElementDifference> worst;
  /// The smallest relative tolerance under which all would pass, the absolute
  /// one as it is; infinite where none would do.
  double passing_relative_tolerance = 0;
  /// The largest |actual - expected| over eps times the largest |expected|.
  double scaled_error = 0;
};

struct Comparison {
  Criterion criterion;
  bool passed = true;
  std::size_t count = 0;
  std::size_t mismatches = 0;
  /// In the order of the expected set, then what is extra.
  std::vector<TensorComparison> tensors;
};

/// Pairs tensors by name, never by position. A missing or extra name, another
/// shape or a nonfinite element fails. Throws Error where a name stands twice
/// on one side, or a tolerance is negative or not finite.
TANDEM_API Comparison compare(const std::vector<NamedTensor>& expected,
                              const std::vector<NamedTensor>& actual,
                              const Criterion& criterion = {});

/// |actual - expected| over what the criterion allows there; infinite where
/// either is not finite. Above 1 if and only if the criterion does not admit
/// the element: a quotient of neighbours never rounds to 1.
TANDEM_API double ratio_to_allowance(double expected, double actual,
                                     const Criterion& criterion = {});

/// How many representable f64 values lie between two, counting one end; -0 and
/// +0 are one value.
TANDEM_API std::uint64_t ulp_distance(double a, double b);

}  // namespace tandem::compare
