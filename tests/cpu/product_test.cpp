// The fast product against the scalar loop, bit for bit, on every kernel.
#include "cpu/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "cpu/product_problem.h"

namespace tandem::cpu {
namespace {

std::size_t count_from_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Kernels : public testing::TestWithParam<const KernelSet<double>*> {
 protected:
  void expect_equals_plain(const ProductProblem& problem,
                           unsigned threads = 1) {
    EXPECT_EQ(difference_from_plain(problem, plain_product(problem), threads,
                                    *GetParam()),
              "");
  }
  RandomValues random_{1};
};

TEST_P(Kernels, EqualThePlainLoopForEveryWidthAndHeightOfTile) {
  for (std::size_t m = 1; m <= 26; ++m) {
    for (std::size_t n = 1; n <= 75; ++n) {
      expect_equals_plain(dense_problem(random_, m, n, 9));
    }
  }
}

TEST_P(Kernels, EqualThePlainLoopWithTransposedOperands) {
  for (std::size_t extent : {1u, 2u, 3u, 5u, 8u, 13u, 33u, 65u}) {
    for (int flags = 0; flags < 4; ++flags) {
      expect_equals_plain(dense_problem(random_, extent, 37, 29,
                                        (flags & 1) != 0, (flags & 2) != 0));
      expect_equals_plain(dense_problem(random_, 1, extent, 29,
                                        (flags & 1) != 0, (flags & 2) != 0));
      expect_equals_plain(dense_problem(random_, extent, 1, 29,
                                        (flags & 1) != 0, (flags & 2) != 0));
    }
  }
}

TEST_P(Kernels, EqualThePlainLoopAcrossTheEdgesOfAllBlocks) {
  for (int flags = 0; flags < 4; ++flags) {
    expect_equals_plain(dense_problem(random_, 150, 70, 1030, (flags & 1) != 0,
                                      (flags & 2) != 0));
    expect_equals_plain(dense_problem(random_, 49, 1100, 40, (flags & 1) != 0,
                                      (flags & 2) != 0));
    expect_equals_plain(dense_problem(random_, 3, 20000, 35, (flags & 1) != 0,
                                      (flags & 2) != 0));
  }
}

TEST_P(Kernels, EqualThePlainLoopWhenABlockLeavesFewColumns) {
  for (std::size_t m : {16u, 48u, 49u}) {
    for (std::size_t block : {512u, 1024u, 1536u}) {
      for (std::size_t extra = 0; extra <= 17; ++extra) {
        expect_equals_plain(dense_problem(random_, m, block + extra, 2));
        expect_equals_plain(
            dense_problem(random_, m, block + extra, 2, false, true));
      }
    }
  }
}

TEST_P(Kernels, GiveTheSameBitsForAnyNumberOfThreads) {
  const ProductProblem square = dense_problem(random_, 130, 140, 150);
  const ProductProblem row = dense_problem(random_, 1, 3000, 500, false, true);
  const std::vector<double> expected_square = plain_product(square);
  const std::vector<double> expected_row = plain_product(row);
  for (unsigned threads = 0; threads <= 8; ++threads) {
    EXPECT_EQ(
        difference_from_plain(square, expected_square, threads, *GetParam()),
        "");
    EXPECT_EQ(difference_from_plain(row, expected_row, threads, *GetParam()),
              "");
  }
}

TEST_P(Kernels, StoreZerosWhenTheInnerExtentIsZero) {
  std::vector<double> output(6, 1.0);
  const double none = 0.0;
  multiply({2, 3, 0, {}, {&none, 0, 0, {}}, {&none, 0, 0, {}}, output.data()},
           1, *GetParam());
  EXPECT_EQ(output, std::vector<double>(6, 0.0));
}

TEST_P(Kernels, StoreTheCanonicalNanOnEveryPath) {
  for (std::size_t m : {1u, 2u, 60u}) {
    for (std::size_t n : {1u, 2u, 40u}) {
      ProductProblem problem = dense_problem(random_, m, n, 600);
      problem.left.values[0] = -std::numeric_limits<double>::quiet_NaN();
      std::vector<double> output(m * n);
      multiply(problem.product(output.data()), 1, *GetParam());
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(output[j]), 0x7ff8000000000000);
      }
    }
  }
}

TEST_P(Kernels, StartFromPositiveZero) {
  for (std::size_t n : {1u, 2u, 40u}) {
    ProductProblem problem = dense_problem(random_, 8, n, 8);
    std::fill(problem.left.values.begin(), problem.left.values.end(), 0.0);
    std::fill(problem.right.values.begin(), problem.right.values.end(), -1.0);
    expect_equals_plain(problem);
  }
}

TEST_P(Kernels, IgnoreTheCallersRoundingMode) {
  const ProductProblem problem = dense_problem(random_, 40, 40, 40);
  const std::vector<double> expected = plain_product(problem);
  std::vector<double> output(expected.size());
  std::fesetround(FE_UPWARD);
  multiply(problem.product(output.data()), 1, *GetParam());
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(output, expected);
}

std::string name_of(
    const testing::TestParamInfo<const KernelSet<double>*>& info) {
  std::string name = info.param->name;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Product, Kernels,
                         testing::ValuesIn(supported_kernels().begin(),
                                           supported_kernels().end()),
                         name_of);

// Every kernel on the same random problems. TANDEM_PRODUCT_PROBLEMS and
// TANDEM_PRODUCT_SEED ask for more, or for others.
TEST(Product, EqualsThePlainLoopOnRandomProblems) {
  const auto count = count_from_environment("TANDEM_PRODUCT_PROBLEMS", 2000);
  RandomValues random(count_from_environment("TANDEM_PRODUCT_SEED", 4));
  for (std::size_t i = 0; i < count; ++i) {
    const ProductProblem problem = random_problem(random, 300'000);
    const std::vector<double> expected = plain_product(problem);
    const auto threads = static_cast<unsigned>(random.below(8) + 1);
    for (const KernelSet<double>* kernels : supported_kernels()) {
      const std::string difference =
          difference_from_plain(problem, expected, threads, *kernels);
      ASSERT_EQ(difference, "") << "problem " << i;
    }
  }
}

// The sweep is worth what its data can show.
TEST(Product, IsTestedOnDataThatShowsAnotherOrder) {
  RandomValues random(7);
  std::size_t shown = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> terms = random.many(64, 0);
    double forward = 0.0;
    double backward = 0.0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      forward += terms[i];
      backward += terms[terms.size() - 1 - i];
    }
    shown += forward != backward;
  }
  EXPECT_GT(shown, 60u);
}

}  // namespace
}  // namespace tandem::cpu
