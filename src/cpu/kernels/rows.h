// Sums along contiguous rows, several rows at once, and packing across rows:
// both load a square of elements and transpose it in registers.
#pragma once

#include "cpu/kernels/kernel_set.h"
#include "cpu/kernels/vector.h"

namespace tandem::cpu {
namespace {

template <class Scalar, size_t lanes>
inline void load_square(const Scalar* from, ptrdiff_t stride,
                        Vector<Scalar, lanes> (&square)[lanes]) {
  TANDEM_UNROLL
  for (size_t i = 0; i < lanes; ++i) {
    square[i] = load<Scalar, lanes>(from + static_cast<ptrdiff_t>(i) * stride);
  }
  transpose(square);
}

// One lane a row; `groups` vectors of rows hide the latency of the addition.
template <bool weighted, size_t lanes, size_t groups, class Scalar>
void sum_row_group(const RowWork<Scalar>& work, size_t first) {
  using Value = Vector<Scalar, lanes>;
  const Scalar* rows =
      work.rows + static_cast<ptrdiff_t>(first) * work.row_stride;
  const ptrdiff_t group_stride =
      static_cast<ptrdiff_t>(lanes) * work.row_stride;
  Value sums[groups] = {};
  size_t k = 0;
  for (; k + lanes <= work.depth; k += lanes) {
    TANDEM_UNROLL
    for (size_t g = 0; g < groups; ++g) {
      Value terms[lanes];
      load_square<Scalar, lanes>(
          rows + static_cast<ptrdiff_t>(g) * group_stride + k, work.row_stride,
          terms);
      TANDEM_UNROLL
      for (size_t i = 0; i < lanes; ++i) {
        sums[g] += weighted ? work.weights[k + i] * terms[i] : terms[i];
      }
    }
  }
  for (; k < work.depth; ++k) {
    for (size_t g = 0; g < groups; ++g) {
      Value terms{};
      for (size_t i = 0; i < lanes; ++i) {
        terms[i] =
            rows[static_cast<ptrdiff_t>(g * lanes + i) * work.row_stride +
                 static_cast<ptrdiff_t>(k)];
      }
      sums[g] += weighted ? work.weights[k] * terms : terms;
    }
  }
  for (size_t g = 0; g < groups; ++g) {
    store(work.output + first + g * lanes, canonical(sums[g]));
  }
}

template <bool weighted, class Scalar>
void sum_one_row(const RowWork<Scalar>& work, size_t row) {
  const Scalar* terms =
      work.rows + static_cast<ptrdiff_t>(row) * work.row_stride;
  Scalar sum = 0;
  for (size_t k = 0; k < work.depth; ++k) {
    sum += weighted ? work.weights[k] * terms[k] : terms[k];
  }
  work.output[row] = sum == sum ? sum : static_cast<Scalar>(__builtin_nan(""));
}

// A last group that is not full overlaps the one before.
template <bool weighted, size_t lanes, class Scalar>
void sum_row_groups(const RowWork<Scalar>& work) {
  if (work.count < lanes) {
    if constexpr (lanes > 2) {
      return sum_row_groups<weighted, lanes / 2>(work);
    } else {
      return sum_one_row<weighted>(work, 0);
    }
  }
  size_t row = 0;
  for (; row + 2 * lanes <= work.count; row += 2 * lanes) {
    sum_row_group<weighted, lanes, 2>(work, row);
  }
  for (; row + lanes <= work.count; row += lanes) {
    sum_row_group<weighted, lanes, 1>(work, row);
  }
  if (row < work.count) {
    sum_row_group<weighted, lanes, 1>(work, work.count - lanes);
  }
}

template <class Scalar, size_t lanes>
void sum_rows(const RowWork<Scalar>& work) {
  if (work.weights == nullptr) {
    sum_row_groups<false, lanes>(work);
  } else {
    sum_row_groups<true, lanes>(work);
  }
}

template <class Scalar, size_t lanes>
void pack_transposed(size_t depth, size_t columns, const Scalar* source,
                     ptrdiff_t column_stride, Scalar* packed) {
  const size_t squares = depth / lanes * lanes;
  size_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    const Scalar* from = source + static_cast<ptrdiff_t>(c) * column_stride;
    for (size_t k = 0; k < squares; k += lanes) {
      Vector<Scalar, lanes> square[lanes];
      load_square<Scalar, lanes>(from + k, column_stride, square);
      TANDEM_UNROLL
      for (size_t i = 0; i < lanes; ++i) {
        store(packed + (k + i) * columns + c, square[i]);
      }
    }
    for (size_t k = squares; k < depth; ++k) {
      for (size_t i = 0; i < lanes; ++i) {
        packed[k * columns + c + i] =
            from[static_cast<ptrdiff_t>(i) * column_stride +
                 static_cast<ptrdiff_t>(k)];
      }
    }
  }
  for (; c < columns; ++c) {
    const Scalar* from = source + static_cast<ptrdiff_t>(c) * column_stride;
    for (size_t k = 0; k < depth; ++k) packed[k * columns + c] = from[k];
  }
}

}  // namespace
}  // namespace tandem::cpu
