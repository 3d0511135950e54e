// The fixture of tests that only real hardware can pass. They skip, saying why,
// where there is none; TANDEM_REQUIRE_GPU=1 makes that a failure.
#pragma once

#include <gtest/gtest.h>
#include <tandem/execution/context.h>
#include <tandem/tensor/error.h>

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

namespace tandem {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      gpu_ = ExecutionContext::cuda();
    } catch (const ExecutionError& error) {
      const char* required = std::getenv("TANDEM_REQUIRE_GPU");
      if (required != nullptr && std::string(required) == "1") {
        FAIL() << error.what();
      }
      GTEST_SKIP() << error.what();
    }
  }

  const ExecutionContext& gpu() const { return *gpu_; }

  /// How often to do something: the variable's value, or a number that suits
  /// every run.
  static std::size_t count_from(const char* variable, std::size_t otherwise) {
    const char* wanted = std::getenv(variable);
    return wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : otherwise;
  }

 private:
  std::optional<ExecutionContext> gpu_;
};

}  // namespace tandem
