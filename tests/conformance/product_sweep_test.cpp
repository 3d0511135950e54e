// Products of every size, flag, layout and batch form against plain loops over
// plain arrays, bit for bit.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>

#include <map>
#include <tuple>

#include "support/bits.h"
#include "support/devices.h"
#include "support/operand_layouts.h"

namespace tandem::test {
namespace {

using Extents = std::vector<std::size_t>;

// Operands of one side, by layout, rows and columns.
using Operands =
    std::map<std::tuple<OperandLayout, std::size_t, std::size_t>, Operand>;

struct BatchForm {
  Extents left;
  Extents right;
};

Shape matrix_shape(const Extents& batch, std::size_t rows,
                   std::size_t columns) {
  Extents extents = batch;
  extents.push_back(rows);
  extents.push_back(columns);
  return Shape(extents);
}

Operands make_operands(const Extents& batch, const Extents& sizes,
                       TestValues& values) {
  Operands operands;
  for (const OperandLayout layout : all_layouts()) {
    for (const std::size_t rows : sizes) {
      for (const std::size_t columns : sizes) {
        operands.emplace(
            std::tuple(layout, rows, columns),
            make_operand(layout, matrix_shape(batch, rows, columns), values));
      }
    }
  }
  return operands;
}

// One side of a product as plain arithmetic on a plain array sees it.
struct Side {
  const std::vector<double>& values;
  Extents batch;
  std::size_t rows;  // as stored
  std::size_t columns;
  bool transposed;

  double at(std::size_t matrix, std::size_t row, std::size_t column) const {
    if (transposed) std::swap(row, column);
    return values[(matrix * rows + row) * columns + column];
  }

  // The matrix that stands at `index` of the output's batch.
  std::size_t matrix(const Extents& index) const {
    std::size_t flat = 0;
    const std::size_t missing = index.size() - batch.size();
    for (std::size_t axis = 0; axis < batch.size(); ++axis) {
      const std::size_t own = batch[axis] == 1 ? 0 : index[missing + axis];
      flat = flat * batch[axis] + own;
    }
    return flat;
  }
};

Extents output_batch(const BatchForm& form) {
  Extents batch(std::max(form.left.size(), form.right.size()), 1);
  for (const Extents* side : {&form.left, &form.right}) {
    const std::size_t missing = batch.size() - side->size();
    for (std::size_t axis = 0; axis < side->size(); ++axis) {
      if ((*side)[axis] != 1) batch[missing + axis] = (*side)[axis];
    }
  }
  return batch;
}

// All indices of a small batch, row-major.
std::vector<Extents> batch_indices(const Extents& batch) {
  std::vector<Extents> indices{{}};
  for (const std::size_t extent : batch) {
    std::vector<Extents> longer;
    for (const Extents& index : indices) {
      for (std::size_t i = 0; i < extent; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    }
    indices = std::move(longer);
  }
  return indices;
}

std::vector<double> naive_product(const Side& left, const Side& right,
                                  const std::vector<Extents>& indices,
                                  std::size_t m, std::size_t n, std::size_t k) {
  std::vector<double> cells;
  cells.reserve(indices.size() * m * n);
  for (const Extents& index : indices) {
    const std::size_t a = left.matrix(index);
    const std::size_t b = right.matrix(index);
    for (std::size_t row = 0; row < m; ++row) {
      for (std::size_t column = 0; column < n; ++column) {
        double sum = 0.0;
        for (std::size_t i = 0; i < k; ++i) {
          sum = sum + left.at(a, row, i) * right.at(b, i, column);
        }
        cells.push_back(sum);
      }
    }
  }
  return cells;
}

class ProductSweep : public DeviceTest {
 protected:
  Extents sizes() const {
    return GetParam().sweeps_fully ? Extents{0, 1, 2, 3, 5, 9, 33}
                                   : Extents{0, 1, 3, 33};
  }

  void sweep(const BatchForm& form);

 private:
  void try_layouts(const BatchForm& form, OperandLayout left_layout,
                   OperandLayout right_layout);
  testing::AssertionResult try_product(const BatchForm& form,
                                       OperandLayout left_layout,
                                       OperandLayout right_layout,
                                       std::size_t m, std::size_t n,
                                       std::size_t k, bool transpose_left,
                                       bool transpose_right) const;

  Operands left_;
  Operands right_;
  std::size_t products_ = 0;
};

testing::AssertionResult ProductSweep::try_product(
    const BatchForm& form, OperandLayout left_layout,
    OperandLayout right_layout, std::size_t m, std::size_t n, std::size_t k,
    bool transpose_left, bool transpose_right) const {
  const std::size_t left_rows = transpose_left ? k : m;
  const std::size_t left_columns = transpose_left ? m : k;
  const std::size_t right_rows = transpose_right ? n : k;
  const std::size_t right_columns = transpose_right ? k : n;
  const Operand& left = left_.at({left_layout, left_rows, left_columns});
  const Operand& right = right_.at({right_layout, right_rows, right_columns});
  const Side a{left.values, form.left, left_rows, left_columns, transpose_left};
  const Side b{right.values, form.right, right_rows, right_columns,
               transpose_right};
  const Extents batch = output_batch(form);
  const std::vector<double> expected =
      naive_product(a, b, batch_indices(batch), m, n, k);
  const Tensor actual = matmul_with_transpose(
      left.view, right.view, transpose_left, transpose_right, context());
  const Shape shape = matrix_shape(batch, m, n);
  return rounds_as_specified() ? same_bits(actual, shape, expected)
                               : same_values(actual, shape, expected);
}

void ProductSweep::try_layouts(const BatchForm& form, OperandLayout left_layout,
                               OperandLayout right_layout) {
  const Extents all = sizes();
  for (const std::size_t m : all) {
    for (const std::size_t n : all) {
      for (const std::size_t k : all) {
        for (int flags = 0; flags < 4; ++flags) {
          ++products_;
          ASSERT_TRUE(try_product(form, left_layout, right_layout, m, n, k,
                                  (flags & 1) != 0, (flags & 2) != 0))
              << to_string(left_layout) << " x " << to_string(right_layout)
              << ", m " << m << ", n " << n << ", k " << k << ", flags "
              << flags;
        }
      }
    }
  }
}

void ProductSweep::sweep(const BatchForm& form) {
  TestValues values(
      rounds_as_specified() ? ValueKind::rounding : ValueKind::integer, 39);
  left_ = make_operands(form.left, sizes(), values);
  right_ = make_operands(form.right, sizes(), values);
  for (const OperandLayout left : all_layouts()) {
    for (const OperandLayout right : all_layouts()) {
      if (!GetParam().sweeps_fully && left != right &&
          right != OperandLayout::packed) {
        continue;
      }
      ASSERT_NO_FATAL_FAILURE(try_layouts(form, left, right));
    }
  }
  for (const Operands* side : {&left_, &right_}) {
    for (const auto& [key, operand] : *side) {
      EXPECT_TRUE(operand.is_unchanged());
    }
  }
  if (GetParam().sweeps_fully) {
    EXPECT_EQ(products_, 7u * 7 * 7 * 4 * 6 * 6);
  }
}

TEST_P(ProductSweep, EqualsPlainLoopsWithoutBatch) { sweep({{}, {}}); }

TEST_P(ProductSweep, EqualsPlainLoopsWithEqualBatches) { sweep({{3}, {3}}); }

TEST_P(ProductSweep, EqualsPlainLoopsWithTwoBatchAxes) {
  sweep({{2, 2}, {2, 2}});
}

TEST_P(ProductSweep, EqualsPlainLoopsWhereOneMatrixServesABatch) {
  sweep({{3}, {}});
}

TEST_P(ProductSweep, EqualsPlainLoopsWhereBatchesCross) {
  sweep({{2, 1}, {2}});
}

TANDEM_ON_EVERY_DEVICE(ProductSweep);

}  // namespace
}  // namespace tandem::test
