// Faults that users of other libraries met in gradients. The inputs are our
// own.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>

#include <memory>

#include "support/bits.h"
#include "support/devices.h"

namespace tandem::test {
namespace {

using autograd::constant;
using autograd::Parameter;
using autograd::Variable;

class ReportedGradients : public DeviceTest {
 protected:
  autograd::Context recording() const {
    return autograd::Context::recording().with_execution(context());
  }
  Variable product(const Variable& left, const Variable& right) const {
    return autograd::matmul(left, right, recording());
  }
  void backward(const Variable& loss) const { loss.backward(context()); }
};

TEST_P(ReportedGradients, B13ProductWithoutColumnsLeavesGradientsInPlace) {
  const Parameter a(Tensor({2, 2}, {1, 2, 3, 4}));
  const Parameter b(Tensor({2, 0}, {}));
  backward(autograd::sum(product(a, b)) + autograd::sum(a * a));
  EXPECT_TRUE(same_values(a.gradient(), {2, 2}, {2, 4, 6, 8}));
  EXPECT_TRUE(same_values(b.gradient(), {2, 0}, {}));
}

TEST_P(ReportedGradients, B28BiasThatBroadcastsBothWaysIsSummed) {
  const Variable x = constant(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Parameter w(Tensor({3, 1}, {1, -1, 2}));
  const Parameter b(Tensor({1, 3}, {1, 0, -1}));
  const Variable error = product(x, w) + b - constant(Tensor({2, 1}, {1, 2}));
  const Variable loss = autograd::sum(error * error);
  EXPECT_EQ(loss.value().item(), 295.0);
  backward(loss);
  EXPECT_TRUE(same_values(w.gradient(), {3, 1}, {240, 318, 396}));
  EXPECT_TRUE(same_values(b.gradient(), {1, 3}, {30, 26, 22}));
}

TEST_P(ReportedGradients, B30OneNodeAsBothOperandsReceivesBoth) {
  const Parameter f(Tensor({2, 1}, {1, 2}));
  backward(autograd::sum(
      autograd::matmul_with_transpose(f, f, false, true, recording())));
  EXPECT_TRUE(same_values(f.gradient(), {2, 1}, {6, 6}));
}

TEST_P(ReportedGradients, B33ContributionsAddUpRatherThanOverwrite) {
  const Parameter w(Tensor({1, 1}, {2}));
  const Variable three = constant(Tensor({1, 1}, {3}));
  const Variable five = constant(Tensor({1, 1}, {5}));
  backward(autograd::sum(product(w, three)) + autograd::sum(product(w, five)) +
           autograd::sum(w * w));
  EXPECT_TRUE(same_values(w.gradient(), {1, 1}, {12}));
}

TEST_P(ReportedGradients, B35TiedTableIsOneNode) {
  const Parameter table(Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Parameter head = table;
  EXPECT_TRUE(head.is_same_node(table));
  const Variable h = autograd::gather_rows(table, {1}, {1});
  backward(autograd::sum(
      autograd::matmul_with_transpose(h, head, false, true, recording())));
  EXPECT_TRUE(same_values(table.gradient(), {3, 2}, {3, 4, 12, 16, 3, 4}));
}

TEST_P(ReportedGradients, B37MaskOfTrailingExtentOneIsSummedToItsShape) {
  const Parameter h(Tensor({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  const Parameter m(Tensor({2, 1, 2, 1}, {1, 2, 3, 4}));
  backward(autograd::sum(h * m));
  EXPECT_TRUE(same_values(m.gradient(), {2, 1, 2, 1}, {3, 7, 11, 15}));
  EXPECT_TRUE(
      same_values(h.gradient(), {2, 1, 2, 2}, {1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST_P(ReportedGradients, B39NoNodeOutlivesItsStep) {
  Parameter w(Tensor::ones({4, 4}));
  const Variable x = constant(Tensor::ones({4, 4}));
  const int steps = GetParam().sweeps_fully ? 10000 : 100;
  for (int step = 0; step < steps; ++step) {
    std::weak_ptr<autograd::Node> inner;
    std::weak_ptr<autograd::Node> last;
    {
      const Variable y = product(x, w);
      const Variable loss = autograd::sum(y);
      inner = y.node();
      last = loss.node();
      backward(loss);
    }
    ASSERT_TRUE(inner.expired());
    ASSERT_TRUE(last.expired());
    w.zero_grad();
  }
  EXPECT_EQ(w.node().use_count(), 1);
}

TANDEM_ON_EVERY_DEVICE(ReportedGradients);

}  // namespace
}  // namespace tandem::test
