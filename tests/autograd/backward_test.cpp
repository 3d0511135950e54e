// backward(): its forms, and the order of its checks.
#include <gtest/gtest.h>
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::same_values;
using test::thrown_by;

const double infinity = std::numeric_limits<double>::infinity();

TEST(Backward, SeedsAScalarWithOneAndKeepsTheGraph) {
  Parameter p(Tensor::scalar(3));
  const Variable loss = p * p;
  loss.backward();
  EXPECT_EQ(p.gradient().item(), 6.0);
  loss.backward();
  EXPECT_EQ(p.gradient().item(), 12.0);
}

TEST(Backward, NeedsAScalar) {
  Parameter p(Tensor({1}, {3}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { (p * p).backward(); }),
            "backward: seed shape differs: output is [1], seed is []");
}

TEST(Backward, TakesASeedOfTheOutputsShape) {
  Parameter p(Tensor({2, 2}, {1, 2, 3, 4}));
  (p * p).backward(Tensor({2, 2}, {1, 10, 100, 1000}));
  EXPECT_TRUE(same_values(p.gradient(), {2, 2}, {2, 40, 600, 8000}));
}

TEST(Backward, TakesASeedThatIsAView) {
  Parameter p(Tensor({2, 2}, {1, 2, 3, 4}));
  const Tensor seed({2, 2}, {1, 10, 100, 1000});
  (p * p).backward(seed.view().transpose(0, 1));
  EXPECT_TRUE(same_values(p.gradient(), {2, 2}, {2, 400, 60, 8000}));
}

TEST(Backward, TakesAnEmptySeed) {
  Parameter p(Tensor::zeros({0, 2}));
  (p * p).backward(Tensor::zeros({0, 2}));
  EXPECT_TRUE(same_values(p.gradient(), {0, 2}, {}));
}

TEST(Backward, KeepsAGraphThatItIsToRetain) {
  Parameter p(Tensor::scalar(3));
  const Variable loss = p * p;
  loss.backward(1.0, Graph::retain);
  loss.backward(1.0, Graph::retain);
  EXPECT_EQ(p.gradient().item(), 12.0);
}

TEST(Backward, GivesBackAGraphThatItIsToRelease) {
  Parameter p(Tensor::scalar(3));
  std::weak_ptr<Node> inner;
  const Variable loss = [&] {
    const Variable square = p * p;
    inner = square.node();
    return square * p;
  }();
  EXPECT_FALSE(inner.expired());
  loss.backward(1.0, Graph::release);
  EXPECT_TRUE(inner.expired());
  EXPECT_EQ(p.gradient().item(), 27.0);
  EXPECT_EQ(loss.value().item(), 27.0);
  EXPECT_EQ(thrown_by<GraphError>([&] { loss.backward(); }),
            "backward: graph was released: the output's");
}

TEST(Backward, LeavesParametersUsableAfterRelease) {
  Parameter p(Tensor::scalar(3));
  (p * p).backward(1.0, Graph::release);
  (p * p).backward(1.0, Graph::release);
  EXPECT_EQ(p.gradient().item(), 12.0);
}

TEST(Backward, RefusesAnUntrackedOutput) {
  const std::string message =
      "backward: output is untracked: no parameter can be reached from it";
  const Parameter p(Tensor::scalar(3));
  EXPECT_EQ(thrown_by<GraphError>([&] { constant(1.0).backward(); }), message);
  EXPECT_EQ(thrown_by<GraphError>([&] { detached(p).backward(); }), message);
  EXPECT_EQ(
      thrown_by<GraphError>([&] { mul(p, p, Context::no_grad()).backward(); }),
      message);
}

TEST(Backward, RefusesAnAncestorThatWasReleased) {
  Parameter p(Tensor({2}, {3, 4}));
  const Variable square = p * p;
  const Variable loss = sum(square);
  square.backward(Tensor::ones({2}), Graph::release);
  EXPECT_EQ(thrown_by<GraphError>([&] { loss.backward(); }),
            "backward: graph was released: that of an operand of shape [2]");
}

TEST(Backward, RefusesASeedThatIsNotFinite) {
  Parameter p(Tensor({2}, {3, 4}));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              (p * p).backward(Tensor({2}, {1, infinity}));
            }),
            "backward: seed: result is not finite: element 1 is inf");
  EXPECT_TRUE(same_values(p.gradient(), {2}, {0, 0}));
}

// Everything that can be wrong is; one fault after another is put right.
TEST(BackwardChecks, ComeInOrder) {
  Parameter p(Tensor({2}, {3, 4}));
  const Tensor bad_shape = Tensor::full({3}, infinity);
  const Tensor bad_value = Tensor::full({2}, infinity);
  const Tensor seed = Tensor::ones({2});

  const Variable inner = p * p;
  const Variable outer = inner * p;
  inner.backward(seed, Graph::release);
  p.update(Tensor({2}, {5, 6}));
  EXPECT_EQ(
      thrown_by<GraphError>([&] { outer.backward(bad_shape, Graph::release); }),
      "backward: graph was released: that of an operand of shape [2]");
  EXPECT_EQ(thrown_by<GraphError>([&] { outer.backward(bad_shape); }),
            "backward: graph was released: the output's");

  const Variable untracked = constant(seed);
  EXPECT_EQ(thrown_by<GraphError>([&] { untracked.backward(bad_shape); }),
            "backward: output is untracked: no parameter can be reached from "
            "it");

  const Variable stale = p * p;
  p.update(Tensor({2}, {7, 8}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { stale.backward(bad_shape); }),
            "backward: seed shape differs: output is [2], seed is [3]");
  EXPECT_EQ(thrown_by<NonfiniteError>([&] { stale.backward(bad_value); }),
            "backward: seed: result is not finite: element 0 is inf");
  EXPECT_EQ(thrown_by<GraphError>([&] { stale.backward(seed); }),
            "backward: parameter was updated since its value was used: mul "
            "used version 1, now it is 2");
}

class ReleaseAfterFailure : public testing::Test {
 protected:
  // Fails with `seed`, and then finds the whole graph released.
  template <class Expected>
  void fails(const Tensor& seed) {
    EXPECT_NE(
        thrown_by<Expected>([&] { loss_->backward(seed, Graph::release); }),
        "(nothing was thrown)");
    EXPECT_TRUE(same_values(p_.gradient(), {2}, {0, 0}));
    EXPECT_TRUE(inner_.expired());
    EXPECT_EQ(thrown_by<GraphError>([&] { loss_->backward(); }),
              "backward: graph was released: the output's");
  }

  void SetUp() override {
    const Variable square = p_ * p_;
    inner_ = square.node();
    loss_ = square * p_;
  }

  Parameter p_{Tensor({2}, {3, 4})};
  std::weak_ptr<Node> inner_;
  std::optional<Variable> loss_;
};

TEST_F(ReleaseAfterFailure, HoldsForASeedOfTheWrongShape) {
  fails<ShapeError>(Tensor::ones({3}));
}

TEST_F(ReleaseAfterFailure, HoldsForASeedThatIsNotFinite) {
  fails<NonfiniteError>(Tensor::full({2}, infinity));
}

TEST_F(ReleaseAfterFailure, HoldsForAStaleValue) {
  p_.update(Tensor({2}, {5, 6}));
  fails<GraphError>(Tensor::ones({2}));
}

TEST_F(ReleaseAfterFailure, HoldsForADerivativeThatIsNotFinite) {
  fails<NonfiniteError>(Tensor::full({2}, 1e308));
}

TEST_F(ReleaseAfterFailure, HoldsForAReleasedAncestor) {
  Parameter q(Tensor({2}, {1, 2}));
  const Variable left = q * q;
  std::weak_ptr<Node> right_node;
  loss_.emplace([&] {
    const Variable right = p_ * p_;
    right_node = right.node();
    return left * (right * p_);
  }());
  left.backward(Tensor::ones({2}), Graph::release);
  EXPECT_EQ(thrown_by<GraphError>(
                [&] { loss_->backward(Tensor::ones({2}), Graph::release); }),
            "backward: graph was released: that of an operand of shape [2]");
  EXPECT_TRUE(right_node.expired());
}

}  // namespace
}  // namespace tandem::autograd
