#include <tandem/compare/comparison.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

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

// absolute / |expected|, where 0/0 is no difference.
double relative_of(double absolute, double expected) {
  if (absolute == 0.0) return 0.0;
  return absolute / std::fabs(expected);
}

double ratio_of(double absolute, double expected, const Criterion& criterion) {
  if (absolute == 0.0) return 0.0;
  return absolute /
         (criterion.absolute + criterion.relative * std::fabs(expected));
}

// The relative tolerance at which this element begins to pass.
double needed_tolerance(double absolute, double expected,
                        const Criterion& criterion) {
  if (absolute <= criterion.absolute) return 0.0;
  const double excess = absolute - criterion.absolute;
  double tolerance = excess / std::fabs(expected);
  // The quotient was rounded; what is reported has to pass when it is used.
  while (std::isfinite(tolerance) &&
         criterion.absolute + tolerance * std::fabs(expected) < absolute) {
    tolerance = std::nextafter(tolerance, infinity);
  }
  return tolerance;
}

ElementDifference describe(std::size_t index, double expected, double actual,
                           const Criterion& criterion) {
  ElementDifference difference;
  difference.index = index;
  difference.expected = expected;
  difference.actual = actual;
  difference.absolute = std::fabs(actual - expected);
  difference.relative = relative_of(difference.absolute, expected);
  difference.ulps = ulp_distance(expected, actual);
  difference.ratio = std::isfinite(expected) && std::isfinite(actual)
                         ? ratio_of(difference.absolute, expected, criterion)
                         : infinity;
  return difference;
}

class ElementJudge {
 public:
  ElementJudge(const Criterion& criterion, TensorComparison& result)
      : criterion_(criterion), result_(result) {}

  void judge(std::size_t index, double expected, double actual) {
    const bool finite = std::isfinite(expected) && std::isfinite(actual);
    if (!finite) ++result_.nonfinite;
    if (!criterion_.admits(expected, actual)) ++result_.mismatches;
    const double absolute = finite ? std::fabs(actual - expected) : infinity;
    const double ratio =
        finite ? ratio_of(absolute, expected, criterion_) : infinity;
    if (!seen_ || ratio > worst_ratio_) {
      seen_ = true;
      worst_ratio_ = ratio;
      worst_index_ = index;
    }
    largest_difference_ = std::max(largest_difference_, absolute);
    if (finite)
      largest_expected_ = std::max(largest_expected_, std::fabs(expected));
    const double needed =
        finite ? needed_tolerance(absolute, expected, criterion_) : infinity;
    result_.passing_relative_tolerance =
        std::max(result_.passing_relative_tolerance, needed);
  }

  void finish(std::span<const double> expected,
              std::span<const double> actual) {
    if (!seen_) return;
    result_.worst = describe(worst_index_, expected[worst_index_],
                             actual[worst_index_], criterion_);
    result_.worst->coordinates =
        coordinates_of(worst_index_, result_.expected_shape);
    if (largest_difference_ > 0.0) {
      result_.scaled_error =
          largest_difference_ /
          (std::numeric_limits<double>::epsilon() * largest_expected_);
    }
    result_.finding = result_.nonfinite > 0    ? Finding::nonfinite
                      : result_.mismatches > 0 ? Finding::differs
                                               : Finding::equal;
  }

 private:
  const Criterion& criterion_;
  TensorComparison& result_;
  bool seen_ = false;
  double worst_ratio_ = 0;
  std::size_t worst_index_ = 0;
  double largest_difference_ = 0;
  double largest_expected_ = 0;
};

TensorComparison compare_pair(const NamedTensor& expected,
                              const NamedTensor& actual,
                              const Criterion& criterion) {
  TensorComparison result;
  result.name = expected.name;
  result.expected_shape = expected.value.shape();
  result.actual_shape = actual.value.shape();
  if (!(result.expected_shape == result.actual_shape)) {
    result.finding = Finding::shape_mismatch;
    return result;
  }
  const auto want = expected.value.values();
  const auto got = actual.value.values();
  result.count = want.size();
  ElementJudge judge(criterion, result);
  for (std::size_t i = 0; i < want.size(); ++i) {
    judge.judge(i, want[i], got[i]);
  }
  judge.finish(want, got);
  return result;
}

using Index = std::map<std::string, const NamedTensor*>;

Index index_by_name(const std::vector<NamedTensor>& tensors, const char* side) {
  Index index;
  for (const NamedTensor& tensor : tensors) {
    if (!index.emplace(tensor.name, &tensor).second) {
      throw Error("compare: name stands twice: \"" + tensor.name +
                  "\" in the " + side + " set");
    }
  }
  return index;
}

void check_criterion(const Criterion& criterion) {
  const auto valid = [](double tolerance) {
    return std::isfinite(tolerance) && tolerance >= 0.0;
  };
  if (!valid(criterion.absolute) || !valid(criterion.relative)) {
    throw Error("compare: tolerances must be finite and not negative: " +
                std::to_string(criterion.absolute) + " absolute, " +
                std::to_string(criterion.relative) + " relative");
  }
}

TensorComparison one_sided(const NamedTensor& tensor, Finding finding) {
  TensorComparison result;
  result.name = tensor.name;
  result.finding = finding;
  (finding == Finding::missing ? result.expected_shape : result.actual_shape) =
      tensor.value.shape();
  return result;
}

}  // namespace

const char* to_string(Finding finding) {
  switch (finding) {
    case Finding::equal:
      return "equal";
    case Finding::differs:
      return "differs";
    case Finding::nonfinite:
      return "nonfinite";
    case Finding::shape_mismatch:
      return "shape mismatch";
    case Finding::missing:
      return "missing";
    case Finding::extra:
      return "extra";
  }
  return "unknown";
}

std::uint64_t ulp_distance(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  // Counts from zero outward, so that neighbours differ by one.
  const auto place = [](double value) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  const std::int64_t low = std::min(place(a), place(b));
  const std::int64_t high = std::max(place(a), place(b));
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

Comparison compare(const std::vector<NamedTensor>& expected,
                   const std::vector<NamedTensor>& actual,
                   const Criterion& criterion) {
  check_criterion(criterion);
  const Index wanted = index_by_name(expected, "expected");
  const Index given = index_by_name(actual, "actual");
  Comparison comparison;
  comparison.criterion = criterion;
  for (const NamedTensor& tensor : expected) {
    const auto found = given.find(tensor.name);
    comparison.tensors.push_back(
        found == given.end() ? one_sided(tensor, Finding::missing)
                             : compare_pair(tensor, *found->second, criterion));
  }
  for (const NamedTensor& tensor : actual) {
    if (wanted.count(tensor.name) == 0) {
      comparison.tensors.push_back(one_sided(tensor, Finding::extra));
    }
  }
  for (const TensorComparison& tensor : comparison.tensors) {
    comparison.count += tensor.count;
    comparison.mismatches += tensor.mismatches;
    comparison.passed = comparison.passed && tensor.finding == Finding::equal;
  }
  return comparison;
}

}  // namespace tandem::compare
