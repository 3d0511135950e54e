#include "support/bits.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <string>

namespace tandem::test {
namespace {

std::string with_bits(double value) {
  char text[80];
  std::snprintf(text, sizeof text, "%.17g (%016llx)", value,
                static_cast<unsigned long long>(bits_of(value)));
  return text;
}

// Compares shape and then element by element with `equal`.
template <class Equal>
testing::AssertionResult compare(const TensorView& actual, const Shape& shape,
                                 const std::vector<double>& expected,
                                 Equal equal) {
  if (!(actual.shape() == shape)) {
    return testing::AssertionFailure()
           << "shape is " << to_string(actual.shape()) << ", expected "
           << to_string(shape);
  }
  const std::vector<double> values = values_of(actual);
  if (values.size() != expected.size()) {
    return testing::AssertionFailure()
           << values.size() << " values, expected " << expected.size();
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!equal(values[i], expected[i])) {
      return testing::AssertionFailure()
             << "element " << i << " of " << to_string(shape) << " is "
             << with_bits(values[i]) << ", expected " << with_bits(expected[i]);
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace

std::uint64_t bits_of(double value) {
  return std::isnan(value) ? 0x7ff8000000000000u
                           : std::bit_cast<std::uint64_t>(value);
}

std::vector<double> values_of(const TensorView& view) {
  const Tensor packed = view.materialize();
  return {packed.values().begin(), packed.values().end()};
}

testing::AssertionResult same_bits(const TensorView& actual, const Shape& shape,
                                   const std::vector<double>& expected) {
  return compare(actual, shape, expected,
                 [](double a, double b) { return bits_of(a) == bits_of(b); });
}

testing::AssertionResult same_bits(const TensorView& actual,
                                   const TensorView& expected) {
  return same_bits(actual, expected.shape(), values_of(expected));
}

testing::AssertionResult same_bits(double actual, double expected) {
  return same_bits(TensorView(actual), {}, {expected});
}

testing::AssertionResult same_values(const TensorView& actual,
                                     const Shape& shape,
                                     const std::vector<double>& expected) {
  return close_to(actual, shape, expected, 0.0, 0.0);
}

testing::AssertionResult close_to(const TensorView& actual, const Shape& shape,
                                  const std::vector<double>& expected,
                                  double relative, double absolute) {
  return compare(actual, shape, expected, [&](double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) {
      return a == b || (std::isnan(a) && std::isnan(b));
    }
    return std::fabs(a - b) <= absolute + relative * std::fabs(b);
  });
}

}  // namespace tandem::test
