// Which kernels are used: the widest, unless others are asked for.
#include "cpu/kernel_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cpu/product_problem.h"

namespace tandem::cpu {
namespace {

std::string expected_name() {
  const char* asked_for = std::getenv("TANDEM_TEST_KERNEL");
  if (asked_for != nullptr && *asked_for != '\0') return asked_for;
  return supported_kernels().front()->name;
}

TEST(KernelChoice, IsTheWidestSetUnlessTheEnvironmentOfTheTestsNamesAnother) {
  EXPECT_EQ(best_kernels<double>().name, expected_name());
  EXPECT_EQ(best_kernels<float>().name, expected_name());
}

#if defined(__x86_64__) && defined(__linux__)
// The flags of the first processor, as the system lists them.
std::vector<std::string> listed_flags() {
  std::ifstream list("/proc/cpuinfo");
  std::string line;
  while (std::getline(list, line) && line.rfind("flags", 0) != 0) {
  }
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

// Kernels that were wrongly taken to be missing would only be skipped.
TEST(KernelChoice, MissesNoSetThatTheSystemSaysTheCpuCanRun) {
  const std::vector<std::string> flags = listed_flags();
  const auto lists = [&](const char* flag) {
    return std::count(flags.begin(), flags.end(), flag) == 1;
  };
  ASSERT_TRUE(lists("sse2"));
  std::vector<std::string> expected{"baseline"};
  if (lists("avx2")) expected.insert(expected.begin(), "AVX2");
  if (lists("avx512f") && lists("avx512dq") && lists("avx512vl")) {
    expected.insert(expected.begin(), "AVX-512");
  }
  std::vector<std::string> supported;
  for (const auto* set : supported_kernels()) supported.push_back(set->name);
  EXPECT_EQ(supported, expected);
}
#endif

class LimitedKernels : public testing::Test {
 protected:
  void TearDown() override { limit_kernels(before_); }
  const std::string before_ = best_kernels().name;
};

TEST_F(LimitedKernels, MayBeAnyThatThisCpuCanRun) {
  for (const KernelSet<double>* set : supported_kernels()) {
    EXPECT_EQ(limit_kernels(set->name), KernelLimit::set);
    EXPECT_EQ(&best_kernels<double>(), set);
    EXPECT_STREQ(best_kernels<float>().name, set->name);
  }
}

TEST_F(LimitedKernels, StayAsTheyAreWhereTheNameIsUnknown) {
  EXPECT_EQ(limit_kernels("AVX3"), KernelLimit::unknown_name);
  EXPECT_EQ(limit_kernels(""), KernelLimit::unknown_name);
  EXPECT_EQ(best_kernels().name, before_);
}

// product_test.cpp sees all sets; here it is the one that everything else in
// this run is built on.
TEST(BestKernels, EqualThePlainLoopOnRandomProblems) {
  RandomValues random(8);
  for (int i = 0; i < 1000; ++i) {
    const ProductProblem problem = random_problem(random, 300'000);
    const auto threads = static_cast<unsigned>(random.below(8) + 1);
    ASSERT_EQ(difference_from_plain(problem, plain_product(problem), threads,
                                    best_kernels()),
              "")
        << "problem " << i;
  }
}

}  // namespace
}  // namespace tandem::cpu
