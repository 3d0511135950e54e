// Faults that users of other libraries met in softmax, losses, norms, rotary
// embeddings, gates and look-ups. The inputs are our own.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>

#include "support/bits.h"
#include "support/devices.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Indices indices(std::vector<std::size_t> values) {
  return std::make_shared<const std::vector<std::size_t>>(std::move(values));
}

Tensor nll_reverse(const Tensor& logits, std::vector<std::size_t> targets) {
  const Tensor upstream = Tensor::scalar(1.0);
  return ExecutionContext().run(NllPlan::make(Nll::reverse, {logits, upstream},
                                              1, indices(std::move(targets))),
                                {logits, upstream});
}

// x exp(-log(mean(x x) + epsilon) / 2), over the last axis.
Tensor rms_norm(const Tensor& x, double epsilon) {
  const Tensor mean = mean_axis(mul(x, x), x.rank() - 1, true);
  return mul(x, exp(mul(log(add(mean, epsilon)), -0.5)));
}

TEST(ReportedRows, B42MaskedRowGetsNoWeightAndNoNan) {
  const Tensor scores({1, 2}, {-infinity, -infinity});
  const Tensor weights = softmax(scores, 1);
  EXPECT_TRUE(same_bits(weights, {1, 2}, {0.0, 0.0}));
  EXPECT_TRUE(
      same_bits(matmul(weights, Tensor({2, 1}, {1, 2})), {1, 1}, {0.0}));
  const Tensor gradient = ExecutionContext().run(
      SoftmaxPlan::make(Softmax::softmax_reverse, {weights, weights}, 1),
      {weights, weights});
  EXPECT_TRUE(same_bits(gradient, {1, 2}, {0.0, 0.0}));
}

TEST(ReportedRows, B44CommonOffsetOfLogitsDoesNotSwallowTheLoss) {
  const Tensor far({1, 2}, {2 + 1e12, -1 + 1e12});
  EXPECT_NEAR(indexed_mean_nll(far, 1, {0}).item(), 0.048587351573742, 1e-14);
  for (const double v : {1.0, 1e17, 1e300}) {
    const Tensor equal({1, 2}, {v, v});
    EXPECT_NEAR(indexed_mean_nll(equal, 1, {0}).item(), 0.6931471805599453,
                1e-14);
    EXPECT_TRUE(same_bits(nll_reverse(equal, {0}), {1, 2}, {-0.5, 0.5}));
  }
}

TEST(ReportedRows, B46UnderflowedClassHasAFiniteGradient) {
  const Tensor logits({1, 3}, {-431, 279, 427});
  EXPECT_EQ(indexed_mean_nll(logits, 1, {0}).item(), 858.0);
  EXPECT_TRUE(close_to(nll_reverse(logits, {0}), {1, 3},
                       {-1, 5.301718666092324e-65, 1}, 1e-12, 0.0));
}

TEST(ReportedRows, B48TargetOutsideTheClassesIsAnError) {
  const Tensor logits({1, 3}, {1, 2, 3});
  const auto loss = [&](std::vector<std::size_t> targets) {
    return thrown_by<ShapeError>([&] { indexed_mean_nll(logits, 1, targets); });
  };
  EXPECT_EQ(loss({3}),
            "indexed_mean_nll: target out of range: group 0, target 3, "
            "classes 3");
  EXPECT_EQ(loss({std::size_t{1} << 63}),
            "indexed_mean_nll: target out of range: group 0, target "
            "9223372036854775808, classes 3");
  EXPECT_EQ(loss({0, 1}),
            "indexed_mean_nll: target count differs: logits are [1, 3], 1 "
            "groups, 2 targets");
}

TEST(ReportedRows, B51LargeEntryAndZeroRowAreNormalisedWithPlainEpsilon) {
  std::vector<double> values(4096, 0.0);
  values[0] = 30.0;
  EXPECT_NEAR(rms_norm(Tensor({1, 4096}, values), 1e-6).at({0, 0}),
              63.99985436494155, 1e-11);
  EXPECT_TRUE(
      same_bits(rms_norm(Tensor::zeros({1, 4}), 1e-6), Tensor::zeros({1, 4})));
}

TEST(ReportedRows, B54LargePositionsTurnByExactAngles) {
  const auto turned = [](double position) {
    const Tensor angle({1, 1}, {position});
    return rotary_pairs(Tensor({1, 2}, {1, 0}), cos(angle), sin(angle));
  };
  EXPECT_TRUE(close_to(turned(15962), {1, 2},
                       {-0.908015901251032, 0.41893570279372955}, 0.0, 1e-12));
  EXPECT_TRUE(close_to(turned(100003), {1, 2},
                       {0.9843148301024515, -0.1764208469551775}, 0.0, 1e-12));
}

class ReportedTables : public DeviceTest {};

TEST_P(ReportedTables, B57AnglesAreTheSameInEveryPrecisionAndDevice) {
  const Tensor positions({2, 1}, {2049, 4097});
  const Tensor angles = mul(positions, 1.0);
  std::vector<ExecutionContext> contexts{
      context(), ExecutionContext::cpu_with_precision(MatmulPrecision::F16F32),
      ExecutionContext::cpu_with_precision(MatmulPrecision::Bf16F32)};
  for (const ExecutionContext& other : contexts) {
    EXPECT_TRUE(same_bits(cos(mul(positions, 1.0, other), other), {2, 1},
                          {std::cos(2049.0), std::cos(4097.0)}));
    EXPECT_TRUE(same_bits(sin(angles, other), {2, 1},
                          {std::sin(2049.0), std::sin(4097.0)}));
  }
}

TANDEM_ON_EVERY_DEVICE(ReportedTables);

TEST(ReportedRows, B58GateAndItsDerivativeAreFiniteFarOut) {
  const Shape shape{6};
  const Tensor x(shape, {-1000, -800, -50, 0, 50, 1000});
  EXPECT_TRUE(close_to(
      silu(x), shape, {0, 0, -9.643749239819589e-21, 0, 50, 1000}, 1e-15, 0.0));
  const Tensor ones = Tensor::ones(shape);
  const Tensor derivative = ExecutionContext().run(
      ElementwisePlan::make(Elementwise::silu_reverse, {x, ones}), {x, ones});
  EXPECT_TRUE(close_to(derivative, shape,
                       {0, 0, -9.450874255023197e-21, 0.5, 1, 1}, 1e-14, 0.0));
}

TEST(ReportedRows, B86IndexBeyondTheTableIsAnErrorThatNamesIt) {
  const Tensor table({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto gather = [](const Tensor& from, std::size_t id) {
    return thrown_by<ShapeError>([&] { gather_rows(from, {0, id}, {2}); });
  };
  EXPECT_EQ(gather(table, 3),
            "gather_rows: index out of range: position 1 asks for row 3 of 3");
  EXPECT_EQ(gather(table, std::size_t{1} << 32),
            "gather_rows: index out of range: position 1 asks for row "
            "4294967296 of 3");
  EXPECT_EQ(gather(table, std::numeric_limits<std::size_t>::max()),
            "gather_rows: index out of range: position 1 asks for row "
            "18446744073709551615 of 3");
  EXPECT_EQ(gather(Tensor({0, 2}, {}), 0),
            "gather_rows: index out of range: position 0 asks for row 0 of 0");
  EXPECT_TRUE(same_bits(gather_rows(table, {}, {0}), {0, 2}, {}));
  EXPECT_TRUE(same_bits(gather_rows(Tensor({0, 2}, {}), {}, {0}), {0, 2}, {}));
}

}  // namespace
}  // namespace tandem::test
