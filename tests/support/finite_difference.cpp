#include "support/finite_difference.h"

#include <tandem/autograd/parameter.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tandem::test {
namespace {

using autograd::Parameter;
using autograd::Variable;

// A step of 2^-10 leaves a truncation error of about 1e-13 of the fifth
// derivative, and a rounding error of about 1e-13 of the value.
constexpr double step = 0x1p-10;
constexpr double tolerance = 2e-10;

std::uint64_t next_draw(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<double> values_with(const Differentiable& function,
                                const std::vector<Tensor>& inputs,
                                std::size_t which, std::size_t element,
                                double offset) {
  std::vector<Variable> operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto values = inputs[i].values();
    std::vector<double> moved(values.begin(), values.end());
    if (i == which) moved[element] += offset;
    operands.push_back(autograd::constant(Tensor(inputs[i].shape(), moved)));
  }
  const Tensor result = function(operands).value();
  return {result.values().begin(), result.values().end()};
}

struct Estimate {
  double derivative = 0.0;
  double scale = 1.0;  // of the terms that were added
};

// (8 (f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))) / 12h, weighted by the seed.
Estimate estimate(const Differentiable& function,
                  const std::vector<Tensor>& inputs, std::size_t which,
                  std::size_t element, const Tensor& seed) {
  const auto at = [&](double steps) {
    return values_with(function, inputs, which, element, steps * step);
  };
  const auto right = at(1), left = at(-1), far_right = at(2), far_left = at(-2);
  Estimate result;
  for (std::size_t j = 0; j < right.size(); ++j) {
    const double slope =
        (8.0 * (right[j] - left[j]) - (far_right[j] - far_left[j])) /
        (12.0 * step);
    const double weight = seed.values()[j];
    result.derivative += weight * slope;
    result.scale +=
        std::fabs(weight) * (std::fabs(slope) + std::fabs(right[j]));
  }
  return result;
}

testing::AssertionResult disagreement(std::size_t which, std::size_t element,
                                      double reverse, double difference) {
  std::ostringstream text;
  text.precision(17);
  text << "operand " << which << ", element " << element
       << ": reverse mode gives " << reverse << ", differences give "
       << difference;
  return testing::AssertionFailure() << text.str();
}

}  // namespace

Tensor spread(const Shape& shape, double low, double high, std::uint64_t seed) {
  std::vector<double> values(Tensor::zeros(shape).size());
  for (double& value : values) {
    const double unit = static_cast<double>(next_draw(seed) >> 11) * 0x1p-53;
    value = low + (high - low) * unit;
  }
  return Tensor(shape, values);
}

testing::AssertionResult derivatives_agree(const Differentiable& function,
                                           const std::vector<Tensor>& inputs) {
  std::vector<Parameter> parameters;
  for (const Tensor& input : inputs) parameters.emplace_back(input);
  const Variable output =
      function(std::vector<Variable>(parameters.begin(), parameters.end()));
  const Tensor seed = spread(output.shape(), -1.5, 1.5, 2024);
  output.backward(seed, autograd::Graph::release);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor gradient = parameters[i].gradient();
    if (!(gradient.shape() == inputs[i].shape())) {
      return testing::AssertionFailure()
             << "operand " << i << " has a gradient of shape "
             << to_string(gradient.shape());
    }
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      const Estimate expected = estimate(function, inputs, i, k, seed);
      const double actual = gradient.values()[k];
      if (!(std::fabs(actual - expected.derivative) <=
            tolerance * expected.scale)) {
        return disagreement(i, k, actual, expected.derivative);
      }
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace tandem::test
