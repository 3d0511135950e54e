// Comparison of results to the last bit. Every NaN counts as the same one.
#pragma once

#include <gtest/gtest.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <cstdint>
#include <vector>

namespace tandem::test {

/// The bits of a value; those of the canonical quiet NaN for any NaN.
std::uint64_t bits_of(double value);

/// Equal in shape and in every bit, so that +0 and -0 differ.
testing::AssertionResult same_bits(const TensorView& actual, const Shape& shape,
                                   const std::vector<double>& expected);
testing::AssertionResult same_bits(const TensorView& actual,
                                   const TensorView& expected);
testing::AssertionResult same_bits(double actual, double expected);

/// Equal in shape and value; +0 equals -0, NaN equals NaN.
testing::AssertionResult same_values(const TensorView& actual,
                                     const Shape& shape,
                                     const std::vector<double>& expected);

/// Equal in shape, and |actual - expected| <= absolute + relative |expected|;
/// NaN equals NaN and an infinity itself.
testing::AssertionResult close_to(const TensorView& actual, const Shape& shape,
                                  const std::vector<double>& expected,
                                  double relative, double absolute);

/// The values in row-major order.
std::vector<double> values_of(const TensorView& view);

}  // namespace tandem::test
