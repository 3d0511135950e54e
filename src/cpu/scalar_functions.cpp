#include "cpu/scalar_functions.h"

#include <cmath>

namespace tandem::cpu {

double sigmoid(double x) {
  if (x >= 0.0) return positive_zero(1.0 / (1.0 + std::exp(-x)));
  const double e = std::exp(x);
  return positive_zero(e / (1.0 + e));
}

double silu(double x) { return positive_zero(x * sigmoid(x)); }

namespace {

double silu_reverse(double x, double s, double g) {
  return g * (s * (1.0 + x * (1.0 - s)));
}

}  // namespace

double silu_reverse(double x, double g) {
  return silu_reverse(x, sigmoid(x), g);
}

SwigluReverse swiglu_reverse(double gate, double up, double g) {
  const double s = sigmoid(gate);
  return {silu_reverse(gate, s, g * up), g * positive_zero(gate * s)};
}

}  // namespace tandem::cpu
