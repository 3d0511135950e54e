// The scalar functions that several rules share.
#pragma once

namespace tandem::cpu {

/// -0 becomes +0; every other value keeps its bits.
inline double positive_zero(double value) { return value + 0.0; }

/// 1/(1 + exp(-x)) for x >= 0, else exp(x)/(1 + exp(x)): never inf/inf.
double sigmoid(double x);

/// x sigmoid(x)
double silu(double x);

/// The upstream gradient g through silu at x.
double silu_reverse(double x, double g);

/// The upstream gradient g through silu(gate) up.
struct SwigluReverse {
  double gate;
  double up;
};
SwigluReverse swiglu_reverse(double gate, double up, double g);

}  // namespace tandem::cpu
