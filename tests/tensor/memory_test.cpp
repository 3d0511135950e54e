// Large blocks of memory are used again, and given back when asked.
#include <gtest/gtest.h>
#include <tandem/tensor/tensor.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace tandem {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Touches 64 MiB and drops them. Sanitizers keep freed memory themselves.
bool leaves_memory_idle() {
  const std::size_t before = resident_bytes();
  Tensor::ones({8 * mebibyte});
  return resident_bytes() >= before + 60 * mebibyte;
}

TEST(IdleMemory, IsGivenBackWhenAsked) {
  release_idle_memory();
  if (!leaves_memory_idle()) GTEST_SKIP() << "this build keeps no memory";
  const std::size_t idle = resident_bytes();
  release_idle_memory();
  EXPECT_LE(resident_bytes() + 60 * mebibyte, idle);
}

TEST(IdleMemory, IsUsedAgain) {
  release_idle_memory();
  if (!leaves_memory_idle()) GTEST_SKIP() << "this build keeps no memory";
  const std::size_t idle = resident_bytes();
  for (int i = 0; i < 4; ++i) {
    const Tensor ones = Tensor::ones({8 * mebibyte});
    EXPECT_LE(resident_bytes(), idle + mebibyte);
    EXPECT_EQ(ones.values()[8 * mebibyte - 1], 1.0);
  }
}

}  // namespace
}  // namespace tandem
