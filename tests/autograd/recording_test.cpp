// What a context decides: whether a graph is kept, and where work runs.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>
#include <memory>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::same_values;
using test::thrown_by;

const Context no_grad = Context::no_grad();

TEST(Leaves, AreTrackedOnlyAsParameters) {
  const Parameter p(Tensor({2}, {1, 2}));
  EXPECT_TRUE(p.is_tracked());
  EXPECT_FALSE(constant(Tensor({2}, {1, 2})).is_tracked());
  EXPECT_FALSE(detached(p).is_tracked());
  EXPECT_FALSE(detached(p * p).is_tracked());
}

TEST(Leaves, RefuseWhatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              constant(Tensor({2, 2}, {1, 2, -infinity, std::nan("")}));
            }),
            "constant: result is not finite: element 2 is -inf");
  EXPECT_EQ(thrown_by<NonfiniteError>([] {
              Parameter(Tensor({2}, {1, std::nan("")}));
            }),
            "parameter: result is not finite: element 1 is nan");
}

TEST(Leaves, NameTheRowMajorIndexWithinAView) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor base({2, 3}, {1, 2, infinity, 4, 5, 6});
  EXPECT_EQ(
      thrown_by<NonfiniteError>([&] { constant(base.view().transpose(0, 1)); }),
      "constant: result is not finite: element 4 is inf");
  EXPECT_NO_THROW(constant(base.view().slice(1, 0, 2)));
}

TEST(Leaves, NameAnIndexFarInside) {
  std::vector<double> values(5000, 1.0);
  values[3210] = std::nan("");
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              constant(Tensor({5, 1000}, values));
            }),
            "constant: result is not finite: element 3210 is nan");
}

TEST(Leaves, KeepTheValueThatWasDetached) {
  Parameter p(Tensor({2}, {1, 2}));
  const Variable before = detached(p);
  p.update(Tensor({2}, {8, 9}));
  EXPECT_TRUE(same_values(before.value(), {2}, {1, 2}));
}

TEST(Recording, IsTheDefault) {
  EXPECT_TRUE(Context().is_recording());
  EXPECT_TRUE(Context::recording().is_recording());
  EXPECT_FALSE(no_grad.is_recording());
}

TEST(Recording, TracksWhatDependsOnAParameter) {
  const Parameter p(Tensor::scalar(3));
  const Variable c = constant(2.0);
  EXPECT_TRUE((p * c).is_tracked());
  EXPECT_TRUE((c * p).is_tracked());
  EXPECT_FALSE((c * c).is_tracked());
}

TEST(Recording, KeepsNoOperandsOfAnUntrackedResult) {
  std::weak_ptr<Node> operand;
  const Variable result = [&] {
    const Variable c = constant(Tensor({2}, {1, 2}));
    operand = c.node();
    return exp(c);
  }();
  EXPECT_TRUE(operand.expired());
}

TEST(NoGrad, GivesAnUntrackedValueThatKeepsNoOperands) {
  std::weak_ptr<Node> operand;
  const Variable result = [&] {
    const Parameter p(Tensor({2}, {1, 2}));
    operand = p.node();
    return mul(p, p, no_grad);
  }();
  EXPECT_FALSE(result.is_tracked());
  EXPECT_TRUE(operand.expired());
  EXPECT_TRUE(same_values(result.value(), {2}, {1, 4}));
}

TEST(NoGrad, MakesTheSameChecks) {
  const Parameter p(Tensor({2}, {1, 1000}));
  const Parameter q(Tensor({3}, {1, 2, 3}));
  for (const Context& context : {Context(), no_grad}) {
    EXPECT_EQ(thrown_by<NonfiniteError>([&] { exp(p, context); }),
              "exp: result is not finite: element 1 is inf");
    EXPECT_EQ(
        thrown_by<ShapeError>([&] { add(p, q, context); }),
        "add: shapes do not broadcast at axis 0: left is [2], right is [3]");
  }
}

TEST(NoGrad, MakesConstantsForAGraphRecordedLater) {
  Parameter p(Tensor::scalar(3));
  const Variable square = mul(p, p, no_grad);
  (square * p).backward();
  EXPECT_EQ(p.gradient().item(), 9.0);
}

TEST(NoGrad, IsIndependentOfTheExecution) {
  const auto execution =
      ExecutionContext::cpu_with_precision(MatmulPrecision::F16F32);
  const Context context = no_grad.with_execution(execution);
  EXPECT_FALSE(context.is_recording());
  EXPECT_EQ(context.execution().matmul_precision(), MatmulPrecision::F16F32);
  EXPECT_TRUE(Context().with_execution(execution).is_recording());
}

TEST(Context, RunsPlainOperationsAndBackwardInF64OnTheCpu) {
  EXPECT_EQ(Context().execution().matmul_precision(), MatmulPrecision::F64);
  EXPECT_EQ(to_string(Context().execution().device()), "cpu");
}

TEST(Context, ExtendsTheScopeOfItsExecution) {
  const Context context = Context().scoped("blocks.1").scoped("attention");
  EXPECT_EQ(context.execution().scope().path(), "blocks.1.attention");
}

TEST(Variables, ShareTheirNodeWhenCopied) {
  const Parameter p(Tensor::scalar(3));
  const Variable copy = p;
  EXPECT_TRUE(copy.is_same_node(p));
  EXPECT_FALSE(detached(p).is_same_node(p));
}

TEST(Variables, ShowViewsWhereTheyLieAndValuesPacked) {
  const Variable x = constant(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Variable y = transpose(x, 0, 1);
  EXPECT_FALSE(y.view().is_contiguous());
  EXPECT_TRUE(same_values(y.value(), {3, 2}, {1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace tandem::autograd
