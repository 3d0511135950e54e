// Products in the 16-bit precisions against arithmetic that shares nothing
// with them.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "support/bits.h"
#include "support/mixed_arithmetic.h"
#include "support/operand_layouts.h"

namespace tandem::test {
namespace {

using Extents = std::vector<std::size_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

class MixedProduct : public testing::TestWithParam<MatmulPrecision> {
 protected:
  bool is_f16() const { return GetParam() == MatmulPrecision::F16F32; }

  // The product of a row and a column.
  double dot(const std::vector<double>& row,
             const std::vector<double>& column) const {
    return context_
        .matmul(Tensor({1, row.size()}, row),
                Tensor({column.size(), 1}, column))
        .item();
  }

  const ExecutionContext context_ =
      ExecutionContext::cpu_with_precision(GetParam());
};

Shape with_matrix(const Extents& batch, std::size_t rows, std::size_t columns) {
  Extents extents = batch;
  extents.insert(extents.end(), {rows, columns});
  return Shape(extents);
}

class MixedProductSweep : public MixedProduct {
 protected:
  void sweep(const Extents& left_batch, const Extents& right_batch) {
    for (const OperandLayout left : all_layouts()) {
      for (const OperandLayout right : all_layouts()) {
        if (!exhaustive_ && left != right && right != OperandLayout::packed) {
          continue;
        }
        for (const std::size_t m : sizes_) {
          for (const std::size_t n : sizes_) {
            for (const std::size_t k : sizes_) {
              ASSERT_NO_FATAL_FAILURE(
                  try_flags(make_side(left, left_batch, m, k),
                            make_side(right, right_batch, k, n)));
            }
          }
        }
      }
    }
  }

 private:
  // An operand as it is given plain, and as it is given transposed.
  using Side = std::array<Operand, 2>;

  Side make_side(OperandLayout layout, const Extents& batch, std::size_t rows,
                 std::size_t columns) {
    return {make_operand(layout, with_matrix(batch, rows, columns), values_),
            make_operand(layout, with_matrix(batch, columns, rows), values_)};
  }

  void try_flags(const Side& left, const Side& right) {
    for (const bool transpose_left : {false, true}) {
      for (const bool transpose_right : {false, true}) {
        const Operand& a = left[transpose_left];
        const Operand& b = right[transpose_right];
        const Tensor actual = context_.matmul_with_transpose(
            a.view, b.view, transpose_left, transpose_right);
        ASSERT_TRUE(same_bits(actual, actual.shape(),
                              mixed_product(GetParam(), a.view, b.view,
                                            transpose_left, transpose_right)))
            << to_string(a.view.shape()) << ", " << to_string(b.view.shape());
        ASSERT_TRUE(a.is_unchanged() && b.is_unchanged());
      }
    }
  }

  // TANDEM_EXHAUSTIVE asks for every size in every pair of layouts.
  const bool exhaustive_ = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
  const Extents sizes_ =
      exhaustive_ ? Extents{0, 1, 2, 3, 5, 9, 33} : Extents{0, 1, 3, 9};
  TestValues values_{ValueKind::rounding, 8};
};

TEST_P(MixedProductSweep, EqualsTheOracleWithoutBatch) { sweep({}, {}); }
TEST_P(MixedProductSweep, EqualsTheOracleWithEqualBatches) { sweep({3}, {3}); }
TEST_P(MixedProductSweep, EqualsTheOracleWithTwoBatchAxes) {
  sweep({2, 2}, {2, 2});
}
TEST_P(MixedProductSweep, EqualsTheOracleWhereOneMatrixServesABatch) {
  sweep({3}, {});
}
TEST_P(MixedProductSweep, EqualsTheOracleWhereBatchesCross) {
  sweep({2, 1}, {2});
}

TEST_P(MixedProduct, RoundsAnOperandOnceFromF64) {
  // Through binary32 this would be a tie, and go down to 1.
  const double half_an_ulp = is_f16() ? 0x1p-11 : 0x1p-8;
  const double value = 1.0 + half_an_ulp + 0x1p-40;
  EXPECT_EQ(dot({value}, {1.0}), 1.0 + 2 * half_an_ulp);
}

TEST_P(MixedProduct, KeepsSubnormals) {
  const double least = is_f16() ? 0x1p-24 : 0x1p-133;
  EXPECT_EQ(dot({least}, {1.0}), least);
  EXPECT_EQ(dot({least / 4}, {1.0}), 0.0);
}

TEST_P(MixedProduct, GoesToInfinityBeyondTheLargestValue) {
  const double large = is_f16() ? 65504.0 : 0x1.fep+127;
  EXPECT_EQ(dot({large}, {1.0}), large);
  EXPECT_EQ(dot({large, large}, {1.0, 1.0}), infinity);
  EXPECT_EQ(dot({-large, -large}, {1.0, 1.0}), -infinity);
}

TEST_P(MixedProduct, AddsInBinary32AndRoundsTheSumOnce) {
  // In the 16-bit format itself the small terms would vanish one by one.
  const double ulp = is_f16() ? 0x1p-10 : 0x1p-7;
  EXPECT_EQ(dot({1, ulp / 4, ulp / 4, ulp / 4}, {1, 1, 1, 1}), 1.0 + ulp);
}

TEST_P(MixedProduct, AddsInAscendingOrder) {
  // 2^-24 is lost beside 1 in binary32, but 64 of them together are not.
  std::vector<double> last(66, 0x1p-24);
  last[64] = 1.0;
  last[65] = -1.0;
  std::vector<double> first(66, 0x1p-24);
  first[0] = 1.0;
  first[65] = -1.0;
  const std::vector<double> ones(66, 1.0);
  EXPECT_EQ(dot(last, ones), 0x1p-18);
  EXPECT_EQ(dot(first, ones), 0.0);
}

TEST_P(MixedProduct, StoresTheCanonicalNan) {
  const std::uint64_t canonical = 0x7ff8000000000000;
  const double negative_nan = std::bit_cast<double>(0xfff8000000000123);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(dot({negative_nan}, {1.0})),
            canonical);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(dot({infinity}, {0.0})), canonical);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(dot({infinity, 1}, {1, -infinity})),
            canonical);
}

TEST_P(MixedProduct, GivesZerosWhereTheInnerExtentIsZero) {
  EXPECT_TRUE(
      same_bits(context_.matmul(Tensor::zeros({2, 0}), Tensor::zeros({0, 3})),
                Tensor::zeros({2, 3})));
}

TEST_P(MixedProduct, LeavesF64ProductsAsTheyAre) {
  TestValues values(ValueKind::rounding, 3);
  const Tensor left({4, 9}, values.list(36));
  const Tensor right({9, 5}, values.list(45));
  const Tensor expected = matmul(left, right);
  const Tensor mixed = context_.matmul(left, right);
  EXPECT_FALSE(same_bits(mixed, expected));
  EXPECT_TRUE(same_bits(
      context_.with_matmul_precision(MatmulPrecision::F64).matmul(left, right),
      expected));
}

TEST_P(MixedProduct, LeavesSumsAndMeansInF64) {
  TestValues values(ValueKind::rounding, 4);
  const Tensor x({3, 40}, values.list(120));
  for (const std::size_t axis : {0u, 1u}) {
    EXPECT_TRUE(same_bits(context_.sum_axis(x, axis), sum_axis(x, axis)));
    EXPECT_TRUE(same_bits(context_.mean_axis(x, axis), mean_axis(x, axis)));
  }
}

TEST_P(MixedProduct, KeepsAMeanFiniteWhoseSumIsNot) {
  const Tensor x = Tensor::full({1, 4}, 65504.0);
  EXPECT_EQ(context_.mean_axis(x, 1).item(), 65504.0);
  EXPECT_EQ(context_.sum_axis(x, 1).item(), 262016.0);
  if (is_f16()) {
    EXPECT_EQ(context_.matmul(x, Tensor::ones({4, 1})).item(), infinity);
  }
}

TEST_P(MixedProduct, RunsItsReverseInTheRecordedPrecision) {
  TestValues values(ValueKind::rounding, 5);
  autograd::Parameter left(Tensor({3, 7}, values.list(21)));
  autograd::Parameter right(Tensor({7, 4}, values.list(28)));
  const Tensor seed({3, 4}, values.list(12));
  const auto context = autograd::Context::recording().with_execution(context_);
  autograd::matmul(left, right, context).backward(seed);
  EXPECT_TRUE(
      same_bits(left.gradient(), {3, 7},
                mixed_product(GetParam(), seed, right.value(), false, true)));
  EXPECT_TRUE(
      same_bits(right.gradient(), {7, 4},
                mixed_product(GetParam(), left.value(), seed, true, false)));
}

TEST_P(MixedProduct, DoesNotReachTheReverseOfAnF64Product) {
  TestValues values(ValueKind::rounding, 6);
  autograd::Parameter left(Tensor({3, 7}, values.list(21)));
  const Tensor right({7, 4}, values.list(28));
  const Tensor seed({3, 4}, values.list(12));
  autograd::matmul(left, autograd::constant(right))
      .backward(seed, autograd::Graph::retain, context_);
  EXPECT_TRUE(same_bits(left.gradient(),
                        matmul_with_transpose(seed, right, false, true)));
}

TEST(MixedProductF16, RoundsTwoToTheMinus26ToZero) {
  const auto context =
      ExecutionContext::cpu_with_precision(MatmulPrecision::F16F32);
  EXPECT_EQ(
      context.matmul(Tensor({1, 1}, {0x1p-26}), Tensor({1, 1}, {1.0})).item(),
      0.0);
}

TEST(MixedProductBf16, RoundsEachProductBeforeItIsAdded) {
  const auto context =
      ExecutionContext::cpu_with_precision(MatmulPrecision::Bf16F32);
  const Tensor row({1, 2}, {-0x1.8p+127, 0x1p+64});
  const Tensor column({2, 1}, {1.0, 0x1p+64});
  // Fused with the addition, the second product would not overflow.
  EXPECT_EQ(context.matmul(row, column).item(), infinity);
}

std::string precision_name(
    const testing::TestParamInfo<MatmulPrecision>& info) {
  return to_string(info.param);
}

INSTANTIATE_TEST_SUITE_P(Precisions, MixedProduct,
                         testing::Values(MatmulPrecision::F16F32,
                                         MatmulPrecision::Bf16F32),
                         precision_name);
INSTANTIATE_TEST_SUITE_P(Precisions, MixedProductSweep,
                         testing::Values(MatmulPrecision::F16F32,
                                         MatmulPrecision::Bf16F32),
                         precision_name);

}  // namespace
}  // namespace tandem::test
