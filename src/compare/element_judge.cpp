#include "compare/element_judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tandem::compare {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Row-major coordinates of a flat index.
std::vector<std::size_t> coordinates_of(std::size_t index, const Shape& shape) {
  std::vector<std::size_t> coordinates(shape.rank());
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    coordinates[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return coordinates;
}

bool are_finite(double expected, double actual) {
  return std::isfinite(expected) && std::isfinite(actual);
}

// The same sum that the criterion makes, so that it rounds alike.
bool passes(double absolute, double expected, double allowance,
            double tolerance) {
  return absolute <= allowance + tolerance * std::fabs(expected);
}

// The smallest tolerance that passes, or infinity. Doubles that are not
// negative are ordered as their bits are, and more tolerance never fails what
// less passed: so halving finds it.
double smallest_tolerance(double absolute, double expected, double allowance) {
  std::uint64_t fails = 0;
  std::uint64_t limit = std::bit_cast<std::uint64_t>(infinity);
  while (limit - fails > 1) {
    const std::uint64_t middle = fails + (limit - fails) / 2;
    const bool passed =
        passes(absolute, expected, allowance, std::bit_cast<double>(middle));
    (passed ? limit : fails) = middle;
  }
  return std::bit_cast<double>(limit);
}

ElementDifference describe(std::size_t index, double expected, double actual,
                           const Shape& shape, double ratio) {
  ElementDifference difference;
  difference.index = index;
  difference.coordinates = coordinates_of(index, shape);
  difference.expected = expected;
  difference.actual = actual;
  difference.absolute = std::fabs(actual - expected);
  difference.relative = difference.absolute == 0.0
                            ? 0.0
                            : difference.absolute / std::fabs(expected);
  difference.ulps = ulp_distance(expected, actual);
  difference.ratio = ratio;
  return difference;
}

}  // namespace

double ratio_to_allowance(double expected, double actual,
                          const Criterion& criterion) {
  if (!are_finite(expected, actual)) return infinity;
  const double absolute = std::fabs(actual - expected);
  if (absolute == 0.0) return 0.0;
  const double ratio = absolute / (criterion.absolute +
                                   criterion.relative * std::fabs(expected));
  // NaN where both overflow: the criterion admits infinity <= infinity.
  return std::isnan(ratio) ? 1.0 : ratio;
}

void ElementJudge::judge(std::size_t index, double expected, double actual) {
  const double ratio = ratio_to_allowance(expected, actual, criterion_);
  if (count_++ == 0 || ratio > worst_ratio_) {
    worst_ratio_ = ratio;
    worst_index_ = index;
  }
  if (ratio > 1.0) ++mismatches_;
  if (!are_finite(expected, actual)) {
    ++nonfinite_;
    largest_difference_ = infinity;
    passing_relative_tolerance_ = infinity;
    return;
  }
  const double absolute = std::fabs(actual - expected);
  largest_difference_ = std::max(largest_difference_, absolute);
  largest_expected_ = std::max(largest_expected_, std::fabs(expected));
  need_tolerance(absolute, expected);
}

void ElementJudge::need_tolerance(double absolute, double expected) {
  if (std::isinf(passing_relative_tolerance_) ||
      passes(absolute, expected, criterion_.absolute,
             passing_relative_tolerance_)) {
    return;
  }
  passing_relative_tolerance_ =
      smallest_tolerance(absolute, expected, criterion_.absolute);
}

void ElementJudge::finish(std::span<const double> expected,
                          std::span<const double> actual,
                          TensorComparison& result) const {
  result.count = count_;
  result.mismatches = mismatches_;
  result.nonfinite = nonfinite_;
  result.passing_relative_tolerance = passing_relative_tolerance_;
  result.finding = nonfinite_ > 0    ? Finding::nonfinite
                   : mismatches_ > 0 ? Finding::differs
                                     : Finding::equal;
  if (count_ == 0) return;
  result.worst =
      describe(worst_index_, expected[worst_index_], actual[worst_index_],
               result.expected_shape, worst_ratio_);
  if (largest_difference_ > 0.0) {
    result.scaled_error =
        largest_difference_ /
        (std::numeric_limits<double>::epsilon() * largest_expected_);
  }
}

}  // namespace tandem::compare
