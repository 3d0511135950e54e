// The fixture of the tests of the CUDA backend over the fake libraries: what
// they must not have seen when a test ends.
#pragma once

#include <gtest/gtest.h>
#include <tandem/execution/context.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cuda/fake_context.h"
#include "fake_cuda/control.h"

namespace tandem {

/// Small integers: every order of summation gives the same bits.
inline Tensor integers(const Shape& shape, unsigned seed) {
  std::vector<double> values(element_count(shape, "test"));
  for (double& value : values) {
    seed = seed * 1664525 + 1013904223;
    value = static_cast<double>(seed >> 28) - 8.0;
  }
  return Tensor(shape, values);
}

inline std::vector<double> list(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

class CudaBackend : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(fake_cuda::violations(), std::vector<std::string>{});
    EXPECT_EQ(fake_cuda::live().pushed_contexts, 0U);
    EXPECT_EQ(fake_cuda::last_error(), 0);
    fake_cuda::set_device_memory(std::size_t{1} << 30);
  }

  ExecutionContext cuda_ = fake_cuda_context();
  ExecutionContext cpu_;
};

}  // namespace tandem
