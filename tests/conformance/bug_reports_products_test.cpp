// Faults that users of other libraries met in products, sums and means. Each
// name says what went wrong there; the inputs are our own.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <limits>
#include <numeric>

#include "support/bits.h"
#include "support/devices.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

std::vector<double> ascending(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

class ReportedProducts : public DeviceTest {};

TEST_P(ReportedProducts, B01TransposedLeftOperandIsWalkedInItsOwnOrder) {
  const Tensor a({2, 3}, {7, -13, 21, -4, 19, -32});
  const Tensor right({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(same_values(context().matmul(a.view().transpose(0, 1), right),
                          {3, 2}, {-5, -2, 44, 50, -75, -86}));
}

TEST_P(ReportedProducts, B04ExpandedScalarsKeepTheContraction) {
  const TensorView left = TensorView(1.0).broadcast_to({2, 5});
  const TensorView right = TensorView(4.0).broadcast_to({5, 3});
  EXPECT_TRUE(same_values(context().matmul(left, right), {2, 3},
                          std::vector<double>(6, 20.0)));
}

TEST_P(ReportedProducts, B05StrideZeroVectorIsAnOperand) {
  const Tensor left({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const TensorView right = TensorView(3.0).broadcast_to({4, 1});
  EXPECT_TRUE(same_values(context().matmul(left, right), {2, 1}, {30, 78}));
}

TEST_P(ReportedProducts, B08RowSliceWithFlagsDoesNotReadItsParent) {
  const Tensor a({2, 3}, {1, 7, 5, 2, 2, 3});
  const Tensor parent({3, 2}, {3, 4, 100, 200, 300, 400});
  const Tensor product = context().matmul_with_transpose(
      a, parent.view().slice(0, 0, 1), true, true);
  EXPECT_TRUE(same_values(product, {3, 1}, {11, 29, 27}));
}

TEST_P(ReportedProducts, B09OneRowMayHaveAnyRowStride) {
  const Tensor parent({1, 8, 6}, ascending(48));
  const TensorView x = parent.view().slice(1, 7, 8).squeeze(1);
  EXPECT_EQ(x.strides()[0], 48);
  const Tensor weights({3, 6}, ascending(18));
  EXPECT_TRUE(same_values(x, {1, 6}, {42, 43, 44, 45, 46, 47}));
  EXPECT_TRUE(same_values(context().matmul(x, weights.view().transpose(0, 1)),
                          {1, 3}, {685, 2287, 3889}));
}

TEST_P(ReportedProducts, B11EmptyContractionIsZerosInDirtyMemory) {
  const Tensor left({3, 2, 0}, {});
  const Tensor right({3, 0, 3}, {});
  for (int i = 0; i < 1000; ++i) {
    if (i % 100 == 0) {
      context().matmul(Tensor::full({3, 2, 1}, 1e30), Tensor::ones({3, 1, 3}));
    }
    const ExecutionStats before = context().stats();
    ASSERT_TRUE(same_bits(context().matmul(left, right), {3, 2, 3},
                          std::vector<double>(18, 0.0)));
    ASSERT_EQ(context().stats(), before);
  }
}

TEST_P(ReportedProducts, B15BatchMayExceedSixteenBits) {
  const std::size_t count = 65538;
  const Tensor left({count, 1, 1}, ascending(count));
  const TensorView right =
      Tensor({1, 1, 2}, {1, 2}).view().broadcast_to({count, 1, 2});
  const Tensor product = context().matmul(left, right);
  for (std::size_t b : {std::size_t{0}, std::size_t{65534}, std::size_t{65535},
                        std::size_t{65536}, std::size_t{65537}}) {
    EXPECT_EQ(product.at({b, 0, 0}), static_cast<double>(b));
    EXPECT_EQ(product.at({b, 0, 1}), static_cast<double>(2 * b));
  }
}

TEST_P(ReportedProducts, B18OneMatrixServesAWholeBatch) {
  std::vector<double> values(60, 0.0);
  for (std::size_t i = 0; i < 10; ++i) values[i * 6] = 1.0;
  const Tensor left({10, 2, 3}, values);
  std::vector<double> expected;
  for (int i = 0; i < 10; ++i) {
    for (const double cell : {0, 1, 2, 3, 0, 0, 0, 0}) expected.push_back(cell);
  }
  for (const Shape& shape : {Shape{1, 3, 4}, Shape{3, 4}}) {
    const Tensor right(shape, ascending(12));
    EXPECT_TRUE(
        same_values(context().matmul(left, right), {10, 2, 4}, expected));
  }
}

TEST_P(ReportedProducts, B20TransposeFlagEqualsTransposedView) {
  const Tensor a({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor b({2, 4}, {1, 0, 2, 1, 0, 1, 1, 3});
  const std::vector<double> expected{1, 4, 6, 13, 2, 5, 9, 17, 3, 6, 12, 21};
  const TensorView turned = a.view().transpose(0, 1);
  EXPECT_TRUE(same_values(context().matmul_with_transpose(a, b, true, false),
                          {3, 4}, expected));
  EXPECT_TRUE(same_values(context().matmul(turned, b), {3, 4}, expected));
}

TEST_P(ReportedProducts, B21OutputNeverAddsWhatTheMemoryHeld) {
  const Tensor left({2, 2}, {1, 2, 3, 4});
  const Tensor right({2, 2}, {5, 6, 7, 8});
  for (int i = 0; i < 100; ++i) {
    Tensor::full({2, 2}, std::numeric_limits<double>::quiet_NaN());
    ASSERT_TRUE(
        same_values(context().matmul(left, right), {2, 2}, {19, 22, 43, 50}));
  }
}

TEST_P(ReportedProducts, B23TransposedViewIsSummedAlongItsOwnAxis) {
  const Tensor a({2, 3}, {1, 2, 3, 4, 5, 6});
  const TensorView turned = a.view().transpose(0, 1);
  EXPECT_TRUE(same_values(context().sum_axis(turned, 1), {3}, {5, 7, 9}));
  EXPECT_TRUE(
      same_values(context().mean_axis(turned, 1), {3}, {2.5, 3.5, 4.5}));
}

TEST_P(ReportedProducts, B25EmptyAxisSumsToZeroAndHasNoMean) {
  const Tensor x({3, 0, 4}, {});
  EXPECT_TRUE(same_bits(context().sum_axis(x, 1, true), {3, 1, 4},
                        std::vector<double>(12, 0.0)));
  EXPECT_TRUE(same_bits(context().sum_axis(x, 1), {3, 4},
                        std::vector<double>(12, 0.0)));
  EXPECT_TRUE(same_bits(context().sum_axis(x, 0), {0, 4}, {}));
  EXPECT_TRUE(same_bits(context().mean_axis(x, 0), {0, 4}, {}));
  EXPECT_EQ(thrown_by<ShapeError>([&] { context().mean_axis(x, 1); }),
            "mean_axis: axis is empty: axis is 1, shape is [3, 0, 4]");
}

TANDEM_ON_EVERY_DEVICE(ReportedProducts);

}  // namespace
}  // namespace tandem::test
