// The one check of derivatives: reverse mode against central differences.
#pragma once

#include <gtest/gtest.h>
#include <tandem/autograd/variable.h>
#include <tandem/tensor/tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace tandem::test {

/// Any differentiable function of some operands, with a result of any shape.
using Differentiable =
    std::function<autograd::Variable(const std::vector<autograd::Variable>&)>;

/// Values spread evenly over [low, high), the same ones for the same seed.
Tensor spread(const Shape& shape, double low, double high, std::uint64_t seed);

/// Makes each input a parameter, walks `function` backward from a seed of mixed
/// signs, and compares every element of every gradient with fourth-order
/// central differences. The tolerance is relative to the sum of the absolute
/// terms of the derivative, so cancellation does not loosen it needlessly.
/// `function` must be smooth within 1/500 of each input.
testing::AssertionResult derivatives_agree(const Differentiable& function,
                                           const std::vector<Tensor>& inputs);

}  // namespace tandem::test
