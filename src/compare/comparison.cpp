#include <tandem/compare/comparison.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "compare/element_judge.h"

namespace tandem::compare {
namespace {

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
  ElementJudge judge(criterion);
  for (std::size_t i = 0; i < want.size(); ++i) {
    judge.judge(i, want[i], got[i]);
  }
  judge.finish(want, got, result);
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

// The shortest text that reads back as the same value.
std::string to_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

void check_criterion(const Criterion& criterion) {
  const auto valid = [](double tolerance) {
    return std::isfinite(tolerance) && tolerance >= 0.0;
  };
  if (!valid(criterion.absolute) || !valid(criterion.relative)) {
    throw Error("compare: tolerances must be finite and not negative: " +
                to_text(criterion.absolute) + " absolute, " +
                to_text(criterion.relative) + " relative");
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
