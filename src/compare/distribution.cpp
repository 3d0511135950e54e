#include <tandem/compare/distribution.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace tandem::compare {
namespace {

// Upper bounds, inclusive, of all ranges of a ratio but the last.
constexpr double bounds[] = {0,    1e-8, 1e-7, 1e-6, 1e-5, 1e-4,
                             1e-3, 1e-2, 1e-1, 1e0,  1e1,  1e2,
                             1e3,  1e4,  1e5,  1e6,  1e7,  1e8};
static_assert(std::size(bounds) + 1 == std::size(Distribution().ratio));

}  // namespace

void Distribution::add(double expected, double actual,
                       const Criterion& criterion) {
  const double size = ratio_to_allowance(expected, actual, criterion);
  const auto* range =
      std::lower_bound(std::begin(bounds), std::end(bounds), size);
  ++ratio[static_cast<std::size_t>(range - bounds)];
  ++ulps[static_cast<std::size_t>(
      std::bit_width(ulp_distance(expected, actual)))];
}

Distribution& Distribution::operator+=(const Distribution& other) {
  for (std::size_t i = 0; i < ratio.size(); ++i) ratio[i] += other.ratio[i];
  for (std::size_t i = 0; i < ulps.size(); ++i) ulps[i] += other.ulps[i];
  return *this;
}

Distribution distribution(const Tensor& expected, const Tensor& actual,
                          const Criterion& criterion) {
  if (!(expected.shape() == actual.shape())) {
    throw ShapeError(
        "distribution: shapes differ: " + to_string(expected.shape()) +
        " and " + to_string(actual.shape()));
  }
  Distribution result;
  const auto want = expected.values();
  const auto got = actual.values();
  for (std::size_t i = 0; i < want.size(); ++i) {
    result.add(want[i], got[i], criterion);
  }
  return result;
}

}  // namespace tandem::compare
