// A differentiable function of a user's own.
#include <gtest/gtest.h>
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/finite_difference.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::same_values;
using test::thrown_by;
using Operands = std::span<const TensorView>;

TensorView first(Operands in, const ExecutionContext&) { return in[0]; }

// a^2 b, of equal shapes
Variable square_times(const Variable& a, const Variable& b,
                      const Context& context = {}) {
  return apply(
      "square_times", {a, b},
      [](Operands in, const ExecutionContext& execution) {
        return TensorView(
            tandem::mul(tandem::mul(in[0], in[0], execution), in[1]));
      },
      [](const ReverseCall& call) {
        const TensorView& x = call.operands[0];
        Contributions contributions(2);
        if (call.needed[0]) {
          contributions[0] = call.upstream * (2.0 * x) * call.operands[1];
        }
        if (call.needed[1]) contributions[1] = call.upstream * x * x;
        return contributions;
      },
      context);
}

TEST(UserFunction, DifferentiatesAsItsReverseSays) {
  EXPECT_TRUE(test::derivatives_agree(
      [](const std::vector<Variable>& in) {
        return square_times(in[0], exp(square_times(in[1], in[0])));
      },
      {test::spread({2, 3}, -1, 1, 1), test::spread({2, 3}, -1, 1, 2)}));
}

TEST(UserFunction, ObeysNoGrad) {
  const Parameter x(Tensor::scalar(3));
  const Variable y = square_times(x, x, Context::no_grad());
  EXPECT_FALSE(y.is_tracked());
  EXPECT_EQ(y.value().item(), 27.0);
}

TEST(UserFunction, SeesOperandsAndOutputOfTheForwardPass) {
  const Parameter x(Tensor({2}, {3, 4}));
  const Variable c = constant(Tensor({2}, {5, 6}));
  std::vector<Tensor> seen;
  apply(
      "see", {x, c},
      [](Operands in, const ExecutionContext&) {
        return TensorView(in[0] + in[1]);
      },
      [&seen](const ReverseCall& call) {
        seen = {call.operands[0].materialize(), call.operands[1].materialize(),
                call.output.materialize(), call.upstream.materialize()};
        return Contributions(2);
      })
      .backward(Tensor({2}, {7, 8}));
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_TRUE(same_values(seen[0], {2}, {3, 4}));
  EXPECT_TRUE(same_values(seen[1], {2}, {5, 6}));
  EXPECT_TRUE(same_values(seen[2], {2}, {8, 10}));
  EXPECT_TRUE(same_values(seen[3], {2}, {7, 8}));
}

TEST(UserFunction, IsToldWhichContributionsAreNeeded) {
  Parameter x(Tensor::scalar(3));
  std::vector<bool> needed;
  apply("needs", {x, constant(1.0), x}, first,
        [&needed](const ReverseCall& call) {
          needed = call.needed;
          return Contributions{call.upstream, std::nullopt, call.upstream};
        })
      .backward();
  EXPECT_EQ(needed, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(x.gradient().item(), 2.0);
}

TEST(UserFunction, MayGiveWhatIsNotNeeded) {
  Parameter x(Tensor::scalar(3));
  apply("gives", {x, constant(1.0)}, first, [](const ReverseCall&) {
    return Contributions{TensorView(1.0),
                         TensorView(std::numeric_limits<double>::max())};
  }).backward();
  EXPECT_EQ(x.gradient().item(), 1.0);
}

TEST(UserFunction, LeavesOutAZeroContribution) {
  Parameter x(Tensor::scalar(3));
  apply("zero", {x}, first, [](const ReverseCall&) {
    return Contributions{std::nullopt};
  }).backward();
  EXPECT_EQ(x.gradient().item(), 0.0);
}

// Only a view of what an operand shows is known to be finite.
TEST(UserFunction, IsCheckedWhereItShowsMoreThanItsOperand) {
  const Tensor all({3}, {1.0, 2.0, std::numeric_limits<double>::infinity()});
  const Parameter x(Tensor::scalar(1));
  EXPECT_EQ(
      thrown_by<NonfiniteError>([&] {
        apply(
            "more", {constant(all.view().slice(0, 0, 2)), x},
            [&](Operands, const ExecutionContext&) { return TensorView(all); },
            [](const ReverseCall&) { return Contributions(2); });
      }),
      "more: result is not finite: element 2 is inf");
}

// A contribution that shows the upstream gradient is sorted out by shape.
TEST(UserFunction, MayGiveTheUpstreamGradientInAnotherOrder) {
  const Parameter x(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Parameter y(Tensor({3}, {1, 2, 3}));
  apply(
      "twist", {x, x, y},
      [](Operands in, const ExecutionContext&) {
        return in[0].transpose(0, 1);
      },
      [](const ReverseCall& call) {
        const TensorView turned = call.upstream.transpose(0, 1);
        return Contributions{turned, turned.reverse(1),
                             turned.slice(0, 1, 2).squeeze(0)};
      })
      .backward(Tensor({3, 2}, {1, -0.0, 2, -3, 4, 5}));
  EXPECT_TRUE(test::same_bits(x.gradient(), {2, 3}, {5, 4, 5, 5, -6, 5}));
  EXPECT_TRUE(test::same_bits(y.gradient(), {3}, {0, -3, 5}));
}

TEST(UserFunction, MayTakeNoOperands) {
  const Variable y = apply(
      "nothing", {},
      [](Operands, const ExecutionContext&) { return TensorView(2.0); },
      [](const ReverseCall&) { return Contributions(); });
  EXPECT_FALSE(y.is_tracked());
  EXPECT_EQ(y.value().item(), 2.0);
}

Variable giving(const Parameter& x, const Contributions& contributions) {
  return apply("giving", {x}, first,
               [=](const ReverseCall&) { return contributions; });
}

TEST(UserFunction, MustGiveOneContributionForEachOperand) {
  Parameter x(Tensor::scalar(3));
  EXPECT_EQ(thrown_by<GraphError>([&] { giving(x, {}).backward(); }),
            "backward: contribution count differs: giving has 1 operands, "
            "gave 0");
  EXPECT_EQ(
      thrown_by<GraphError>([&] { giving(x, Contributions(2)).backward(); }),
      "backward: contribution count differs: giving has 1 operands, "
      "gave 2");
  EXPECT_EQ(x.gradient().item(), 0.0);
}

TEST(UserFunction, MustGiveContributionsOfTheOperandsShape) {
  Parameter x(Tensor({2}, {3, 4}));
  EXPECT_EQ(thrown_by<GraphError>([&] {
              giving(x, {TensorView(1.0)}).backward(Tensor::ones({2}));
            }),
            "backward: contribution shape differs: giving operand 0 is [2], "
            "contribution is []");
  EXPECT_TRUE(same_values(x.gradient(), {2}, {0, 0}));
}

TEST(UserFunction, MustGiveFiniteContributions) {
  Parameter x(Tensor({2}, {3, 4}));
  EXPECT_EQ(
      thrown_by<NonfiniteError>([&] {
        giving(x, {Tensor({2}, {1, std::nan("")})}).backward(Tensor::ones({2}));
      }),
      "giving reverse: result is not finite: element 1 is nan");
  EXPECT_TRUE(same_values(x.gradient(), {2}, {0, 0}));
}

TEST(UserFunction, MustGiveAFiniteOutput) {
  const Parameter x(Tensor({2}, {3, 4}));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              apply(
                  "wild", {x},
                  [](Operands in, const ExecutionContext&) {
                    return TensorView(in[0] / Tensor({2}, {1, 0}));
                  },
                  [](const ReverseCall&) { return Contributions(1); });
            }),
            "wild: result is not finite: element 1 is inf");
}

TEST(UserFunction, MustHaveAReverseWhereItIsTracked) {
  const Parameter x(Tensor::scalar(3));
  EXPECT_EQ(thrown_by<GraphError>([&] { apply("one_way", {x}, first, {}); }),
            "one_way: reverse is missing: an operand is tracked");
  EXPECT_NO_THROW(apply("one_way", {constant(1.0)}, first, {}));
  EXPECT_NO_THROW(apply("one_way", {x}, first, {}, Context::no_grad()));
}

TEST(UserFunction, ThrowsWhatItsForwardThrows) {
  const Parameter x(Tensor::scalar(3));
  EXPECT_EQ(thrown_by<std::runtime_error>([&] {
              apply(
                  "thrower", {x},
                  [](Operands, const ExecutionContext&) -> TensorView {
                    throw std::runtime_error("no forward today");
                  },
                  [](const ReverseCall&) { return Contributions(1); });
            }),
            "no forward today");
}

TEST(UserFunction, IsLetGoWhereNothingIsRecorded) {
  const auto token = std::make_shared<int>(1);
  const Variable y =
      apply("holder", {constant(1.0)}, first, [token](const ReverseCall& call) {
        return Contributions{call.upstream};
      });
  EXPECT_EQ(token.use_count(), 1);
}

TEST(UserFunction, IsLetGoByARelease) {
  const auto token = std::make_shared<int>(1);
  const Parameter x(Tensor::scalar(3));
  const Variable y =
      apply("holder", {x}, first, [token](const ReverseCall& call) {
        return Contributions{call.upstream};
      });
  EXPECT_EQ(token.use_count(), 2);
  y.backward(1.0, Graph::release);
  EXPECT_EQ(token.use_count(), 1);
}

struct Execution {
  std::string scope;
  MatmulPrecision precision;
  std::optional<AttentionTiles> tiles;
};

// What the reverse of something recorded in `forward` gets, when the pass runs
// in `backward`.
Execution reverse_execution(const ExecutionContext& forward,
                            const ExecutionContext& backward) {
  const Parameter x(Tensor::scalar(3));
  Execution seen;
  apply(
      "see", {x}, first,
      [&seen](const ReverseCall& call) {
        seen = {call.execution.scope().path(),
                call.execution.matmul_precision(),
                call.execution.attention_tiles()};
        return Contributions(1);
      },
      Context().with_execution(forward))
      .backward(backward);
  return seen;
}

TEST(ReverseExecution, HasTheRecordedPrecision) {
  const auto cpu = [](MatmulPrecision precision) {
    return ExecutionContext::cpu_with_precision(precision);
  };
  using enum MatmulPrecision;
  for (const auto recorded : {F64, F16F32, Bf16F32}) {
    for (const auto given : {F64, F16F32, Bf16F32}) {
      EXPECT_EQ(reverse_execution(cpu(recorded), cpu(given)).precision,
                recorded);
    }
  }
}

TEST(ReverseExecution, HasTheRecordedScope) {
  const ExecutionContext plain;
  EXPECT_EQ(reverse_execution(plain.scoped("blocks.1").scoped("ffn"),
                              plain.scoped("elsewhere"))
                .scope,
            "blocks.1.ffn");
}

TEST(ReverseExecution, IsOtherwiseTheOneGivenToBackward) {
  const ExecutionContext plain;
  const auto tiled = plain.with_tiled_attention({4, 8});
  EXPECT_FALSE(reverse_execution(tiled, plain).tiles.has_value());
  EXPECT_EQ(reverse_execution(plain, tiled).tiles.value().key_rows, 8u);
}

}  // namespace
}  // namespace tandem::autograd
