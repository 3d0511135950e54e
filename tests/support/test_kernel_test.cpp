// A test program cannot run on other kernels than it was asked to.
#include <gtest/gtest.h>

#include <string>

#include "support/process.h"

namespace tandem::test {
namespace {

ProcessResult list_tests(const std::string& kernel) {
  ProcessOptions options;
  options.environment["TANDEM_TEST_KERNEL"] = kernel;
  return run_process(TANDEM_THIS_PROGRAM, {"--gtest_list_tests"}, options);
}

TEST(TestKernel, EndsTheProgramWhereTheNameIsUnknown) {
  for (const std::string name : {"AVX3", "avx2", "base"}) {
    const ProcessResult result = list_tests(name);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              "TANDEM_TEST_KERNEL: no kernels of this build are called so: "
              "name is " +
                  name + "\n");
  }
}

TEST(TestKernel, LetsTheProgramRunWhereTheNameIsKnown) {
  const ProcessResult result = list_tests("baseline");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace tandem::test
