// The check names the first operation whose device result is not the CPU's.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/compare/snapshot.h>
#include <tandem/execution/functions.h>
#include <tandem/execution/operation_check.h>

#include <memory>
#include <set>
#include <string>

#include "compare/planted_backend.h"

namespace tandem {
namespace {

using test::planted_context;

const Tensor left({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor right({3, 2}, {7, 8, 9, 10, 11, 12});

struct Checked {
  std::shared_ptr<OperationCheck> check;
  ExecutionContext context;
};

Checked checked(const ExecutionContext& context,
                const Criterion& criterion = {}) {
  auto check = std::make_shared<OperationCheck>(criterion);
  return {check, context.with_check(check)};
}

// The decoder fixture on a device whose request `spoiled` is wrong.
std::optional<Divergence> divergence_of_fixture(std::size_t spoiled) {
  const auto fixture = compare::decoder_fixture();
  nn::SplitMix64 generator(fixture.seed);
  const nn::Decoder model(fixture.config, generator);
  const auto [check, context] = checked(planted_context(spoiled));
  compare::take_snapshot(model, fixture.input, context);
  EXPECT_EQ(check->operations(), 65U);
  return check->first_divergence();
}

TEST(OperationCheck, FindsNothingOnASoundDevice) {
  const auto [check, context] = checked(planted_context());
  context.matmul(left, right);
  context.sum_axis(left, 0);
  EXPECT_EQ(check->operations(), 2U);
  EXPECT_FALSE(check->first_divergence().has_value());
}

TEST(OperationCheck, DescribesAPlantedDivergence) {
  const auto [check, context] = checked(planted_context(0));
  context.scoped("outer").scoped("inner").matmul(left, right);
  const auto found = check->first_divergence();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->operation, "matmul");
  EXPECT_EQ(found->scope, "outer.inner");
  EXPECT_EQ(found->pass, Pass::forward);
  EXPECT_EQ(found->shape, (Shape{2, 2}));
  EXPECT_EQ(found->index, 3U);
  EXPECT_EQ(found->expected, 154.0);
  EXPECT_EQ(found->actual, 155.0);
}

TEST(OperationCheck, PassesTheDevicesResultOn) {
  const auto [check, context] = checked(planted_context(0));
  EXPECT_EQ(context.matmul(left, right).at({1, 1}), 155.0);
}

TEST(OperationCheck, KeepsTheFirstDivergence) {
  const auto check = std::make_shared<OperationCheck>();
  planted_context(0).with_check(check).scoped("first").sum_axis(left, 1);
  planted_context(0).with_check(check).scoped("second").matmul(left, right);
  EXPECT_EQ(check->operations(), 2U);
  EXPECT_EQ(check->first_divergence()->scope, "first");
  EXPECT_EQ(check->first_divergence()->operation, "sum_axis");
}

TEST(OperationCheck, NamesAMean) {
  const auto [check, context] = checked(planted_context(0));
  context.mean_axis(left, 1);
  EXPECT_EQ(check->first_divergence()->operation, "mean_axis");
}

TEST(OperationCheck, JudgesByItsCriterion) {
  const auto [strict, strict_context] = checked(planted_context(0, 0.5));
  const auto [lax, lax_context] = checked(planted_context(0, 0.5), {0.5, 0.0});
  strict_context.matmul(left, right);
  lax_context.matmul(left, right);
  EXPECT_TRUE(strict->first_divergence().has_value());
  EXPECT_FALSE(lax->first_divergence().has_value());
  EXPECT_EQ(lax->criterion(), (Criterion{0.5, 0.0}));
}

TEST(OperationCheck, ChecksOnlyWhatTheDeviceRan) {
  const auto [check, context] = checked(planted_context());
  add(left, left, context);
  context.run(ReducePlan::make(Reduction::max, left, 1), {left});
  EXPECT_EQ(check->operations(), 0U);
}

TEST(OperationCheck, ChecksNothingOnTheCpu) {
  const auto [check, context] = checked(ExecutionContext::cpu());
  context.matmul(left, right);
  EXPECT_EQ(check->operations(), 0U);
}

TEST(OperationCheck, TellsTheSidesOfAReverseApart) {
  for (const auto& [spoiled, pass] :
       {std::pair{0U, Pass::reverse_left}, {1U, Pass::reverse_right}}) {
    const autograd::Parameter a(left);
    const autograd::Parameter b(right);
    const auto product = autograd::sum(
        autograd::matmul(a, b, autograd::Context::recording().scoped("head")));
    const auto [check, context] = checked(planted_context(spoiled));
    product.backward(context);
    ASSERT_TRUE(check->first_divergence().has_value());
    EXPECT_EQ(check->first_divergence()->pass, pass);
    EXPECT_EQ(check->first_divergence()->scope, "head");
  }
}

TEST(OperationCheck, NamesForwardOperationsOfADecoder) {
  const auto tiny = divergence_of_fixture(1);
  EXPECT_EQ(tiny->scope, "tiny");
  EXPECT_EQ(tiny->operation, "sum_axis");
  const auto norm = divergence_of_fixture(3);
  EXPECT_EQ(norm->scope, "blocks.0.attention_norm");
  EXPECT_EQ(norm->operation, "mean_axis");
  const auto query = divergence_of_fixture(4);
  EXPECT_EQ(query->scope, "blocks.0.attention.query");
  EXPECT_EQ(query->pass, Pass::forward);
  const auto head = divergence_of_fixture(26);
  EXPECT_EQ(head->scope, "head");
  EXPECT_EQ(head->shape, (Shape{1, 3, 258}));
}

TEST(OperationCheck, NamesReverseOperationsOfADecoder) {
  const auto head = divergence_of_fixture(27);
  EXPECT_EQ(head->scope, "head");
  EXPECT_NE(head->pass, Pass::forward);
  const auto last = divergence_of_fixture(64);
  EXPECT_EQ(last->scope.rfind("blocks.0.attention.", 0), 0U) << last->scope;
  EXPECT_NE(last->pass, Pass::forward);
}

TEST(OperationCheck, NamesEveryOperationOfADecoderByItsPlace) {
  std::set<std::string> places;
  for (std::size_t spoiled = 3; spoiled < 65; ++spoiled) {
    const auto found = divergence_of_fixture(spoiled);
    ASSERT_TRUE(found.has_value()) << spoiled;
    places.insert(found->scope + " " + to_string(found->pass) + " " +
                  found->operation);
  }
  EXPECT_EQ(places.size(), 62U) << "two operations share one name";
}

}  // namespace
}  // namespace tandem
