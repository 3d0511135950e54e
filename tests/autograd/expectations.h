// What the tests of reverse mode compare, and how.
#pragma once

#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/tensor/error.h>

#include <cstring>
#include <string>
#include <typeinfo>
#include <vector>

namespace tandem::autograd {

/// Equal in shape and to the last bit, so that +0 and -0 differ.
inline testing::AssertionResult has_bits(const Tensor& actual,
                                         const Tensor& expected) {
  if (actual.shape() == expected.shape() &&
      std::memcmp(actual.values().data(), expected.values().data(),
                  actual.size() * sizeof(double)) == 0) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << actual << " of shape " << to_string(actual.shape()) << ", expected "
         << expected << " of shape " << to_string(expected.shape());
}

inline testing::AssertionResult has_bits(const Tensor& actual,
                                         const Shape& shape,
                                         const std::vector<double>& expected) {
  return has_bits(actual, Tensor(shape, expected));
}

/// The whole message of the error, of exactly this type, that `call` throws.
template <class Expected, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    if (typeid(error) == typeid(Expected)) return error.what();
    return std::string("(another type: ") + error.what() + ")";
  }
  return "(nothing was thrown)";
}

}  // namespace tandem::autograd
