// Gradients that other libraries once got wrong, with integers worked out by
// hand.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>

#include "support/bits.h"

namespace tandem::autograd {
namespace {

using test::same_values;

TEST(ReportedGradient, OfAProductWithAZeroExtentIsZero) {  // B13
  Parameter a(Tensor({2, 2}, {1, 2, 3, 4}));
  Parameter b(Tensor::zeros({2, 0}));
  const Variable product = matmul(a, b);
  EXPECT_EQ(product.shape(), (Shape{2, 0}));
  (sum(product) + sum(a * a)).backward();
  EXPECT_TRUE(same_values(a.gradient(), {2, 2}, {2, 4, 6, 8}));
  EXPECT_TRUE(same_values(b.gradient(), {2, 0}, {}));
}

TEST(ReportedGradient, OfALayerWhoseBiasBroadcastsBothSides) {  // B28
  const Variable x = constant(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  Parameter w(Tensor({3, 1}, {1, -1, 2}));
  Parameter b(Tensor({1, 3}, {1, 0, -1}));
  const Variable gap = (matmul(x, w) + b) - constant(Tensor({2, 1}, {1, 2}));
  const Variable loss = sum(gap * gap);
  EXPECT_EQ(loss.value().item(), 295.0);
  loss.backward();
  EXPECT_TRUE(same_values(w.gradient(), {3, 1}, {240, 318, 396}));
  EXPECT_TRUE(same_values(b.gradient(), {1, 3}, {30, 26, 22}));
}

TEST(ReportedGradient, OfAProductOfOneNodeWithItself) {  // B30
  Parameter f(Tensor({2, 1}, {1, 2}));
  sum(matmul_with_transpose(f, f, false, true)).backward();
  EXPECT_TRUE(same_values(f.gradient(), {2, 1}, {6, 6}));
}

TEST(ReportedGradient, OfOneWeightInThreeProducts) {  // B33
  Parameter w(Tensor({1, 1}, {2}));
  const auto times = [&](double value) {
    return sum(matmul(w, constant(Tensor({1, 1}, {value}))));
  };
  (times(3) + times(5) + sum(w * w)).backward();
  EXPECT_TRUE(same_values(w.gradient(), {1, 1}, {12}));
}

TEST(ReportedGradient, OfATableThatIsAlsoTheHead) {  // B35
  Parameter table(Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  const Parameter head = table;
  EXPECT_TRUE(head.is_same_node(table));
  const Variable h = gather_rows(table, {1}, {1});
  const Variable logits = matmul_with_transpose(h, head, false, true);
  sum(logits).backward();
  EXPECT_TRUE(same_values(table.gradient(), {3, 2}, {3, 4, 12, 16, 3, 4}));
}

TEST(ReportedGradient, OfAMaskWithATrailingExtentOfOne) {  // B37
  Parameter h(Tensor({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  Parameter mask(Tensor({2, 1, 2, 1}, {1, 2, 3, 4}));
  sum(h * mask).backward();
  EXPECT_TRUE(same_values(mask.gradient(), {2, 1, 2, 1}, {3, 7, 11, 15}));
  EXPECT_TRUE(
      same_values(h.gradient(), {2, 1, 2, 2}, {1, 1, 2, 2, 3, 3, 4, 4}));
}

}  // namespace
}  // namespace tandem::autograd
