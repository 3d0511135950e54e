// Large blocks of memory are used again, and given back when asked.
#include <gtest/gtest.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>

#include "support/memory_probe.h"

namespace tandem {
namespace {

using test::is_sanitized;
using test::resident_bytes;
using test::sanitizers_keep_memory;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Touches 64 MiB and drops them.
void leave_memory_idle() {
  const std::size_t before = resident_bytes();
  Tensor::ones({8 * mebibyte});
  ASSERT_GE(resident_bytes(), before + 60 * mebibyte);
}

TEST(IdleMemory, IsGivenBackWhenAsked) {
  if (is_sanitized) GTEST_SKIP() << sanitizers_keep_memory;
  release_idle_memory();
  ASSERT_NO_FATAL_FAILURE(leave_memory_idle());
  const std::size_t idle = resident_bytes();
  release_idle_memory();
  EXPECT_LE(resident_bytes() + 60 * mebibyte, idle);
}

TEST(IdleMemory, IsUsedAgain) {
  if (is_sanitized) GTEST_SKIP() << sanitizers_keep_memory;
  release_idle_memory();
  ASSERT_NO_FATAL_FAILURE(leave_memory_idle());
  const std::size_t idle = resident_bytes();
  for (int i = 0; i < 4; ++i) {
    const Tensor ones = Tensor::ones({8 * mebibyte});
    EXPECT_LE(resident_bytes(), idle + mebibyte);
    EXPECT_EQ(ones.values()[8 * mebibyte - 1], 1.0);
  }
}

}  // namespace
}  // namespace tandem
