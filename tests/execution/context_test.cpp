// ExecutionContext on the CPU: its choices, its checks, and the check of a
// device's results.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/execution/operation_check.h>
#include <tandem/tensor/error.h>

#include <limits>
#include <memory>
#include <thread>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::same_bits;
using test::thrown_by;

TEST(ExecutionContext, IsTheCpuInF64ByDefault) {
  const ExecutionContext context;
  EXPECT_EQ(context.device(), Device{});
  EXPECT_EQ(to_string(context.device()), "cpu");
  EXPECT_EQ(context.matmul_precision(), MatmulPrecision::F64);
  EXPECT_FALSE(context.attention_tiles().has_value());
  EXPECT_EQ(context.scope().path(), "");
}

TEST(ExecutionContext, CountsNothingOnTheCpu) {
  const ExecutionContext context = ExecutionContext::cpu();
  context.matmul(Tensor::ones({2, 3}), Tensor::ones({3, 2}));
  context.sum_axis(Tensor::ones({2, 3}), 1);
  EXPECT_EQ(context.stats(), ExecutionStats{});
}

TEST(ExecutionContext, KeepsThePrecisionThatWasChosen) {
  const auto context =
      ExecutionContext::cpu_with_precision(MatmulPrecision::Bf16F32);
  EXPECT_EQ(context.matmul_precision(), MatmulPrecision::Bf16F32);
  const auto other = context.with_matmul_precision(MatmulPrecision::F16F32);
  EXPECT_EQ(other.matmul_precision(), MatmulPrecision::F16F32);
  EXPECT_EQ(context.matmul_precision(), MatmulPrecision::Bf16F32);
}

TEST(ExecutionContext, RefusesOtherPrecisionsOfCudaBeforeALibraryIsOpened) {
  CudaOptions nowhere;
  nowhere.library_directories = "/nonexistent";
  for (const auto precision :
       {MatmulPrecision::F16F32, MatmulPrecision::Bf16F32}) {
    try {
      ExecutionContext::cuda_with_precision(0, precision, nowhere);
      FAIL() << "nothing was thrown";
    } catch (const ExecutionError& error) {
      EXPECT_EQ(error.stage(), ExecutionStage::precision);
      EXPECT_EQ(error.what(),
                std::string("cuda: CUDA computes products in F64 only: asked "
                            "for ") +
                    to_string(precision));
    }
  }
}

TEST(ExecutionContext, TakesPositiveAttentionTilesOnly) {
  const auto context = ExecutionContext().with_tiled_attention({2, 3});
  EXPECT_EQ(context.attention_tiles(), (AttentionTiles{2, 3}));
  for (const AttentionTiles& tiles :
       {AttentionTiles{0, 1}, AttentionTiles{1, 0}}) {
    EXPECT_EQ(thrown_by<ShapeError>(
                  [&] { ExecutionContext().with_tiled_attention(tiles); }),
              "with_tiled_attention: tiles must be positive: " +
                  std::to_string(tiles.query_rows) + " query rows, " +
                  std::to_string(tiles.key_rows) + " key rows");
  }
}

TEST(ExecutionContext, ExtendsItsScopeInCopies) {
  const ExecutionContext root;
  const auto inner = root.scoped("blocks").scoped("1").scoped("attention");
  EXPECT_EQ(inner.scope().path(), "blocks.1.attention");
  EXPECT_EQ(root.scope().path(), "");
}

TEST(ExecutionContext, RunsAPlanOnAnyOperandOfItsLayoutAndNoOther) {
  const Tensor first({2, 2}, {1, 2, 3, 4});
  const Tensor second({2, 2}, {5, 6, 7, 8});
  const auto plan = MatmulPlan::make(first, first);
  const ExecutionContext context;
  EXPECT_TRUE(same_bits(context.run(plan, {second, second}), {2, 2},
                        {67, 78, 91, 106}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { context.run(plan, {first}); }),
            "matmul: operands differ from those the plan was made for: 1 "
            "given");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              context.run(plan, {first, second.view().transpose(0, 1)});
            }),
            "matmul: operands differ from those the plan was made for: 2 "
            "given");
}

TEST(ExecutionContext, GivesEqualBitsFromManyThreads) {
  const Tensor left = Tensor::full({40, 40}, 0.1);
  const Tensor right = Tensor::full({40, 40}, 0.3);
  const Tensor expected = matmul(left, right);
  std::vector<Tensor> results(4);
  std::vector<std::thread> threads;
  for (Tensor& result : results) {
    threads.emplace_back([&] { result = matmul(left, right); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& result : results) EXPECT_TRUE(same_bits(result, expected));
}

TEST(Names, AreSpelledAsTheyAreWritten) {
  EXPECT_STREQ(to_string(MatmulPrecision::F64), "F64");
  EXPECT_STREQ(to_string(MatmulPrecision::F16F32), "F16F32");
  EXPECT_STREQ(to_string(MatmulPrecision::Bf16F32), "Bf16F32");
  EXPECT_EQ(to_string(Device{DeviceKind::cuda, 3}), "cuda:3");
  EXPECT_STREQ(to_string(Pass::forward), "forward");
  EXPECT_STREQ(to_string(Pass::reverse), "reverse");
  EXPECT_STREQ(to_string(Pass::reverse_left), "reverse-left");
  EXPECT_STREQ(to_string(Pass::reverse_right), "reverse-right");
}

TEST(Criterion, AdmitsWhatLiesWithinItsTolerance) {
  const Criterion criterion{1.0, 0.5};
  EXPECT_TRUE(criterion.admits(4.0, 7.0));
  EXPECT_FALSE(criterion.admits(4.0, 7.1));
  EXPECT_TRUE(criterion.admits(-4.0, -7.0));
  EXPECT_FALSE(criterion.admits(-4.0, -0.9));
}

TEST(Criterion, NeverAdmitsANonfiniteValue) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {infinity, -infinity, nan}) {
    EXPECT_FALSE(Criterion{}.admits(value, value));
    EXPECT_FALSE(Criterion{}.admits(1.0, value));
    EXPECT_FALSE(Criterion{}.admits(value, 1.0));
  }
}

TEST(OperationCheck, KeepsTheFirstDivergenceAndCountsAll) {
  OperationCheck check;
  const Tensor one = Tensor::ones({2});
  const Scope scope = Scope() / "blocks" / "1";
  check.compare("matmul", scope, Pass::forward, one, one);
  EXPECT_FALSE(check.first_divergence().has_value());
  check.compare("matmul", scope, Pass::reverse_left, one, Tensor({2}, {1, 2}));
  check.compare("sum_axis", scope, Pass::forward, one, Tensor({2}, {3, 3}));
  EXPECT_EQ(check.operations(), 3u);
  const auto first = check.first_divergence();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->operation, "matmul");
  EXPECT_EQ(first->scope, "blocks.1");
  EXPECT_EQ(first->pass, Pass::reverse_left);
  EXPECT_EQ(first->shape, Shape{2});
  EXPECT_EQ(first->index, 1u);
  EXPECT_EQ(first->expected, 1.0);
  EXPECT_EQ(first->actual, 2.0);
}

TEST(OperationCheck, ComparesNothingOnTheCpu) {
  const auto check = std::make_shared<OperationCheck>();
  ExecutionContext().with_check(check).matmul(Tensor::ones({1, 1}),
                                              Tensor::ones({1, 1}));
  EXPECT_EQ(check->operations(), 0u);
}

}  // namespace
}  // namespace tandem
