// Parameters: gradients that add up, updates that make graphs stale.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/tensor/error.h>

#include <cmath>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::same_bits;
using test::same_values;
using test::thrown_by;

TEST(ParameterGradient, IsZeroFromBirth) {
  EXPECT_TRUE(same_bits(Parameter(Tensor::ones({2, 2})).gradient(), {2, 2},
                        {0, 0, 0, 0}));
  EXPECT_TRUE(
      same_bits(Parameter(Tensor::ones({2, 0})).gradient(), {2, 0}, {}));
}

TEST(ParameterGradient, IsOneForTheParameterItself) {
  Parameter p(Tensor::scalar(5));
  p.backward();
  EXPECT_EQ(p.gradient().item(), 1.0);
}

TEST(ParameterGradient, AddsUpOverPasses) {
  Parameter p(Tensor({2}, {3, 5}));
  const Variable loss = sum(p * p);
  loss.backward();
  loss.backward();
  EXPECT_TRUE(same_values(p.gradient(), {2}, {12, 20}));
  sum(p).backward();
  EXPECT_TRUE(same_values(p.gradient(), {2}, {13, 21}));
}

TEST(ParameterGradient, IsOldPlusPassToTheLastBit) {
  Parameter p(Tensor::scalar(1));
  const double first = 0.1, second = 0.7, third = 1e-17;
  for (const double seed : {first, second, third}) {
    (p * constant(1.0)).backward(Tensor::scalar(seed));
  }
  EXPECT_TRUE(same_bits(p.gradient().item(), (first + second) + third));
}

TEST(ParameterGradient, StartsAgainAfterZeroGrad) {
  Parameter p(Tensor({2}, {3, 5}));
  sum(p * p).backward();
  p.zero_grad();
  EXPECT_TRUE(same_bits(p.gradient(), {2}, {0, 0}));
  sum(p).backward();
  EXPECT_TRUE(same_values(p.gradient(), {2}, {1, 1}));
}

TEST(ParameterGradient, ThatWasReadDoesNotChangeLater) {
  Parameter p(Tensor::scalar(3));
  p.backward();
  const Tensor before = p.gradient();
  p.backward();
  p.zero_grad();
  EXPECT_EQ(before.item(), 1.0);
}

TEST(ParameterGradient, StaysWithoutAPassThatReachesIt) {
  Parameter used(Tensor::scalar(3));
  Parameter unused(Tensor::scalar(4));
  unused.backward();
  (used * used).backward();
  EXPECT_EQ(unused.gradient().item(), 1.0);
}

TEST(TiedParameter, CollectsEveryUseInOneGradient) {
  Parameter p(Tensor({2}, {3, 5}));
  Parameter tied = p;
  EXPECT_TRUE(tied.is_same_node(p));
  sum(p * tied).backward();
  EXPECT_TRUE(same_values(tied.gradient(), {2}, {6, 10}));
  tied.zero_grad();
  EXPECT_TRUE(same_values(p.gradient(), {2}, {0, 0}));
}

TEST(TiedParameter, IsUpdatedUnderEachName) {
  Parameter p(Tensor::scalar(3));
  Parameter tied = p;
  tied.update(Tensor::scalar(7));
  EXPECT_EQ(p.value().item(), 7.0);
  EXPECT_EQ(p.version(), 1u);
}

TEST(ParameterUpdate, ReplacesTheValueAndCounts) {
  Parameter p(Tensor({2}, {1, 2}));
  EXPECT_EQ(p.version(), 0u);
  p.update(Tensor({2}, {3, 4}));
  p.update(Tensor({2}, {5, 6}));
  EXPECT_EQ(p.version(), 2u);
  EXPECT_TRUE(same_values(p.value(), {2}, {5, 6}));
}

TEST(ParameterUpdate, LeavesTheGradient) {
  Parameter p(Tensor::scalar(3));
  p.backward();
  p.update(Tensor::scalar(4));
  EXPECT_EQ(p.gradient().item(), 1.0);
}

TEST(ParameterUpdate, RefusesAnotherShape) {
  Parameter p(Tensor({2}, {1, 2}));
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              p.update(Tensor::ones({2, 1}));
            }),
            "update: shape differs: parameter is [2], value is [2, 1]");
  EXPECT_EQ(p.version(), 0u);
}

TEST(ParameterUpdate, RefusesWhatIsNotFinite) {
  Parameter p(Tensor({2}, {1, 2}));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              p.update(Tensor({2}, {1, std::nan("")}));
            }),
            "update: result is not finite: element 1 is nan");
  EXPECT_EQ(p.version(), 0u);
  EXPECT_TRUE(same_values(p.value(), {2}, {1, 2}));
}

TEST(ParameterUpdate, NeverCopiesBecauseAGraphExists) {
  Parameter p(Tensor({2}, {1, 2}));
  const Variable loss = sum(exp(p) * p);
  const Tensor next({2}, {3, 4});
  p.update(next);
  const Tensor held = p.value();
  EXPECT_EQ(held.values().data(), next.values().data());
}

TEST(StaleValue, IsRefusedEvenIfTheValueIsTheSame) {
  Parameter p(Tensor::scalar(3));
  const Variable loss = p * p;
  p.update(Tensor::scalar(3));
  EXPECT_EQ(thrown_by<GraphError>([&] { loss.backward(); }),
            "backward: parameter was updated since its value was used: mul "
            "used version 0, now it is 1");
  EXPECT_EQ(p.gradient().item(), 0.0);
}

TEST(StaleValue, IsFoundDeepInAGraph) {
  Parameter w(Tensor::scalar(3));
  Parameter x(Tensor::scalar(2));
  x.update(Tensor::scalar(4));
  const Variable loss = exp(x * constant(0.5)) + w;
  x.update(Tensor::scalar(5));
  EXPECT_EQ(thrown_by<GraphError>([&] { loss.backward(); }),
            "backward: parameter was updated since its value was used: mul "
            "used version 1, now it is 2");
  EXPECT_EQ(w.gradient().item(), 0.0);
}

TEST(StaleValue, DoesNotComeFromADetachedOrNoGradUse) {
  Parameter p(Tensor::scalar(3));
  const Variable old = detached(p);
  const Variable square = mul(p, p, Context::no_grad());
  p.update(Tensor::scalar(5));
  (old * square * p).backward();
  EXPECT_EQ(p.gradient().item(), 27.0);
}

TEST(StaleValue, IsGoneForAGraphRecordedAfterTheUpdate) {
  Parameter p(Tensor::scalar(3));
  const Variable stale = p * p;
  p.update(Tensor::scalar(5));
  (p * p).backward();
  EXPECT_EQ(p.gradient().item(), 10.0);
}

}  // namespace
}  // namespace tandem::autograd
