// One pass: the order of its walk and of its sums, and that it stores all or
// nothing.
#include <gtest/gtest.h>
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::same_bits;
using test::same_values;
using test::thrown_by;
using Names = std::vector<std::string>;

// A sum of operands that notes when its reverse runs.
Variable noted(Names& log, const std::string& name,
               const std::vector<Variable>& operands) {
  return apply(
      "noted", operands,
      [](std::span<const TensorView> in, const ExecutionContext&) {
        Tensor sum = Tensor::zeros(in[0].shape());
        for (const TensorView& view : in) sum = sum + view;
        return TensorView(sum);
      },
      [&log, name](const ReverseCall& call) {
        log.push_back(name);
        return Contributions(call.operands.size(), call.upstream);
      });
}

TEST(ReverseWalk, GoesBackwardThroughADepthFirstOrder) {
  Names log;
  const Parameter x(Tensor::scalar(1));
  const Variable a = noted(log, "a", {x});
  const Variable b = noted(log, "b", {a});
  const Variable c = noted(log, "c", {a, x});
  const Variable d = noted(log, "d", {b, c});
  d.backward();
  EXPECT_EQ(log, (Names{"d", "c", "b", "a"}));
}

TEST(ReverseWalk, TakesLaterOperandsFirst) {
  Names log;
  const Parameter x(Tensor::scalar(1));
  const Variable query = noted(log, "query", {x});
  const Variable key = noted(log, "key", {x});
  const Variable value = noted(log, "value", {x});
  const Variable weights = noted(log, "weights", {query, key});
  noted(log, "out", {weights, value}).backward();
  EXPECT_EQ(log, (Names{"out", "value", "weights", "key", "query"}));
}

TEST(ReverseWalk, DoesNotDependOnTheOrderOfRecording) {
  Names log;
  const Parameter x(Tensor::scalar(1));
  const Variable value = noted(log, "value", {x});
  const Variable key = noted(log, "key", {x});
  const Variable query = noted(log, "query", {x});
  noted(log, "out", {query, key, value}).backward();
  EXPECT_EQ(log, (Names{"out", "value", "key", "query"}));
}

TEST(ReverseWalk, VisitsASharedNodeOnceAfterAllItsUses) {
  Names log;
  Parameter x(Tensor::scalar(1));
  const Variable shared = noted(log, "shared", {x});
  const Variable left = noted(log, "left", {shared, shared});
  const Variable right = noted(log, "right", {shared});
  noted(log, "out", {left, shared, right}).backward();
  EXPECT_EQ(log, (Names{"out", "right", "left", "shared"}));
  EXPECT_EQ(x.gradient().item(), 4.0);
}

TEST(ReverseWalk, LeavesOutWhatIsUntracked) {
  Names log;
  const Parameter x(Tensor::scalar(1));
  const Variable fixed = noted(log, "fixed", {constant(1.0)});
  noted(log, "out", {fixed, x}).backward();
  EXPECT_EQ(log, (Names{"out"}));
}

TEST(ReverseWalk, LeavesOutWhatGetsNoContribution) {
  Names log;
  Parameter x(Tensor::scalar(1));
  const Variable inner = noted(log, "inner", {x});
  apply(
      "flat", {inner},
      [](std::span<const TensorView> in, const ExecutionContext&) {
        return in[0];
      },
      [](const ReverseCall&) { return Contributions(1); })
      .backward();
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(x.gradient().item(), 0.0);
}

TEST(ReverseWalk, VisitsEachNodeOfNestedDiamondsOnce) {
  Names log;
  Parameter x(Tensor::scalar(1));
  Variable y = x;
  for (int i = 0; i < 60; ++i) y = noted(log, "level", {y, y});
  y.backward();
  EXPECT_EQ(log.size(), 60u);
  EXPECT_EQ(x.gradient().item(), 0x1p60);
}

// 2^53 + 1 is not a double, so the order of a sum shows in its value.
constexpr double big = 0x1p53;

TEST(ContributionOrder, AddsUsesOfTheLastOperandFirst) {
  Parameter x(Tensor::scalar(1));
  const Variable loss =
      (x * constant(1.0) + x * constant(-big)) + x * constant(big);
  loss.backward();
  EXPECT_EQ(x.gradient().item(), (big - big) + 1.0);
}

// Gives its two operands fixed contributions.
Variable fixed(const Variable& a, const Variable& b, double to_a, double to_b) {
  return apply(
      "fixed", {a, b},
      [](std::span<const TensorView> in, const ExecutionContext&) {
        return in[0];
      },
      [=](const ReverseCall&) {
        return Contributions{TensorView(to_a), TensorView(to_b)};
      });
}

TEST(ContributionOrder, AddsOperandsOfOneFunctionInOrder) {
  Parameter x(Tensor::scalar(1));
  // Last operand first: big, then 1, then -big.
  (fixed(x, x, 1.0, -big) + x * constant(big)).backward();
  EXPECT_EQ(x.gradient().item(), 0.0);
  Parameter y(Tensor::scalar(1));
  (fixed(y, y, -big, 1.0) + y * constant(big)).backward();
  EXPECT_EQ(y.gradient().item(), 1.0);
}

TEST(ContributionOrder, AddsResidualBeforeNormaliseBeforeSquares) {
  // x + f(x) with f reading x in two places, as a pre-norm block does.
  Names log;
  Parameter p(Tensor::scalar(1));
  const Variable x = noted(log, "x", {p});
  const Variable square = noted(log, "square", {x, x});
  const Variable scaled = noted(log, "normalise", {x, square});
  noted(log, "residual", {x, scaled}).backward();
  EXPECT_EQ(log, (Names{"residual", "normalise", "square", "x"}));
}

TEST(Adjoints, StartFromZerosSoThatNegativeZeroIsLost) {
  Parameter x(Tensor({2}, {1, 2}));
  Parameter y(Tensor({2, 1}, {1, 2}));
  (x * constant(Tensor({2}, {-0.0, 3}))).backward(Tensor({2}, {1, -0.0}));
  EXPECT_TRUE(same_bits(x.gradient(), {2}, {0.0, 0.0}));
  broadcast_to(y, {2, 3}).backward(Tensor::full({2, 3}, -0.0));
  EXPECT_TRUE(same_bits(y.gradient(), {2, 1}, {0.0, 0.0}));
}

TEST(Adjoints, LoseTheNegativeZerosOfStridedContributions) {
  Parameter x(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Tensor seed({3, 2}, {-0.0, 1, 2, -0.0, -0.0, 3});
  transpose(x, 0, 1).backward(seed);
  EXPECT_TRUE(same_bits(x.gradient(), {2, 3}, {0, 2, 0, 1, 0, 3}));
}

TEST(Adjoints, ReachAReverseWithoutNegativeZero) {
  const Parameter x(Tensor::scalar(1));
  Tensor seen;
  const Variable y = apply(
      "see", {x},
      [](std::span<const TensorView> in, const ExecutionContext&) {
        return in[0];
      },
      [&seen](const ReverseCall& call) {
        seen = call.upstream.materialize();
        return Contributions{call.upstream};
      });
  y.backward(-0.0);
  EXPECT_TRUE(same_bits(seen.item(), 0.0));
  (-y).backward(0.0);
  EXPECT_TRUE(same_bits(seen.item(), 0.0));
}

TEST(Adjoints, ArePackedForTheReverse) {
  const Parameter x(Tensor::ones({2, 3}));
  bool packed = false;
  const Variable y = apply(
      "see", {x},
      [](std::span<const TensorView> in, const ExecutionContext&) {
        return in[0];
      },
      [&packed](const ReverseCall& call) {
        packed = call.upstream.is_contiguous();
        return Contributions{call.upstream};
      });
  sum(transpose(y, 0, 1)).backward();
  EXPECT_TRUE(packed);
}

class AllOrNothing : public testing::Test {
 protected:
  void SetUp() override {
    sum(p_ * constant(Tensor({2}, {1, 2}))).backward();
    sum(q_ * constant(Tensor({2}, {3, 4}))).backward();
  }

  // Each gradient is what it was before the pass.
  void nothing_was_stored() {
    EXPECT_TRUE(same_values(p_.gradient(), {2}, {1, 2}));
    EXPECT_TRUE(same_values(q_.gradient(), {2}, {3, 4}));
  }

  Parameter p_{Tensor({2}, {0, 5})};
  Parameter q_{Tensor({2}, {7, 8})};
};

TEST_F(AllOrNothing, HoldsForAContributionThatIsNotFinite) {
  // The reverse of q's product is done when that of the root fails.
  const Variable loss = sum(sqrt(p_) + q_ * q_);
  EXPECT_EQ(thrown_by<NonfiniteError>([&] { loss.backward(); }),
            "sqrt reverse: result is not finite: element 0 is inf");
  nothing_was_stored();
}

TEST_F(AllOrNothing, HoldsForASumOfContributionsThatIsNotFinite) {
  const Variable tiny = q_ * constant(1e-300);
  const Variable x = tiny * constant(1.0);
  const Variable large = constant(Tensor({2}, {1.0, 1.5e308}));
  const Variable loss = sum(p_ + (x * large + x * large));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] { loss.backward(); }),
            "mul reverse: result is not finite: element 1 is inf");
  nothing_was_stored();
}

TEST_F(AllOrNothing, HoldsForAGradientThatIsNotFinite) {
  Parameter full(Tensor({2}, {1e-300, 1e-300}));
  full.backward(Tensor({2}, {1, 1.5e308}));
  // Whichever of the three is looked at first.
  const Variable loss = (p_ + full * constant(1.5e308)) + q_;
  EXPECT_EQ(
      thrown_by<NonfiniteError>([&] { loss.backward(Tensor::ones({2})); }),
      "gradient: result is not finite: element 1 is inf");
  EXPECT_TRUE(same_values(full.gradient(), {2}, {1, 1.5e308}));
  nothing_was_stored();
}

TEST_F(AllOrNothing, HoldsForAReverseThatThrows) {
  const Variable thrower = apply(
      "thrower", {p_},
      [](std::span<const TensorView> in, const ExecutionContext&) {
        return in[0];
      },
      [](const ReverseCall&) -> Contributions {
        throw std::runtime_error("no reverse today");
      });
  const Variable loss = sum(thrower + q_ * q_);
  EXPECT_EQ(thrown_by<std::runtime_error>([&] { loss.backward(); }),
            "no reverse today");
  nothing_was_stored();
}

TEST_F(AllOrNothing, LeavesThePassUsableAgain) {
  const Variable loss = sum(sqrt(p_) + q_ * q_);
  EXPECT_THROW(loss.backward(), NonfiniteError);
  p_.update(Tensor({2}, {4, 16}));
  sum(sqrt(p_) + q_ * q_).backward();
  EXPECT_TRUE(same_values(p_.gradient(), {2}, {1.25, 2.125}));
  EXPECT_TRUE(same_values(q_.gradient(), {2}, {17, 20}));
}

TEST(UntrackedContribution, MayBeNonfinite) {
  // d(x / c) / dc overflows, but nobody asked for it.
  Parameter x(Tensor::scalar(1e300));
  (x / constant(1e-8)).backward();
  EXPECT_EQ(x.gradient().item(), 1e8);
}

}  // namespace
}  // namespace tandem::autograd
