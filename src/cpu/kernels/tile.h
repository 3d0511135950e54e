// The tile: a few rows by a few vectors of output cells, all in registers.
#pragma once

#include "cpu/kernels/kernel_set.h"
#include "cpu/kernels/vector.h"

namespace tandem::cpu {
namespace {

// Each lane is one output column and walks the depth in ascending order, so a
// cell's sum is that of the plain loop. A width that is no multiple of the
// vector is covered by letting the last vector overlap the one before: both
// compute, and store, the same values.
template <class Scalar, size_t lanes, size_t vectors, size_t rows>
void tile(const TileWork<Scalar>& work) {
  using Value = Vector<Scalar, lanes>;
  const auto column = [last = work.columns - lanes](size_t v) {
    return v + 1 < vectors ? v * lanes : last;
  };
  Value sums[rows][vectors];
  TANDEM_UNROLL
  for (size_t r = 0; r < rows; ++r) {
    const Scalar* from =
        work.output + static_cast<ptrdiff_t>(r) * work.output_row;
    TANDEM_UNROLL
    for (size_t v = 0; v < vectors; ++v) {
      sums[r][v] =
          work.resume ? load<Scalar, lanes>(from + column(v)) : Value{};
    }
  }
  // One pointer for three rows: x86 addresses reach 0, 1 and 2 strides.
  constexpr size_t groups = (rows + 2) / 3;
  const ptrdiff_t left_row = work.left_row;
  const Scalar* left[groups];
  TANDEM_UNROLL
  for (size_t g = 0; g < groups; ++g) {
    left[g] = work.left + static_cast<ptrdiff_t>(3 * g) * left_row;
  }
  const Scalar* right = work.right;
  for (size_t k = 0; k < work.depth; ++k) {
    Value terms[vectors];
    TANDEM_UNROLL
    for (size_t v = 0; v < vectors; ++v) {
      terms[v] = load<Scalar, lanes>(right + column(v));
    }
    TANDEM_UNROLL
    for (size_t r = 0; r < rows; ++r) {
      const Scalar factor =
          left[r / 3][static_cast<ptrdiff_t>(r % 3) * left_row];
      TANDEM_UNROLL
      for (size_t v = 0; v < vectors; ++v) sums[r][v] += factor * terms[v];
    }
    TANDEM_UNROLL
    for (size_t g = 0; g < groups; ++g) left[g] += work.left_step;
    right += work.right_step;
  }
  TANDEM_UNROLL
  for (size_t r = 0; r < rows; ++r) {
    Scalar* to = work.output + static_cast<ptrdiff_t>(r) * work.output_row;
    TANDEM_UNROLL
    for (size_t v = 0; v < vectors; ++v) {
      const Value sum = sums[r][v];
      store(to + column(v), work.finish ? canonical(sum) : sum);
    }
  }
}

// A pack of row numbers, as <utility> would give.
template <size_t... numbers>
struct Rows {};
template <size_t count, size_t... numbers>
struct RowsUpTo : RowsUpTo<count - 1, count, numbers...> {};
template <size_t... numbers>
struct RowsUpTo<0, numbers...> {
  using type = Rows<numbers...>;
};

template <class Scalar, size_t lanes, size_t vectors, class>
struct TilesOf;
template <class Scalar, size_t lanes, size_t vectors, size_t... rows>
struct TilesOf<Scalar, lanes, vectors, Rows<rows...>> {
  static constexpr Tile<Scalar> by_rows[] = {
      nullptr, tile<Scalar, lanes, vectors, rows>...};
};

template <class Scalar, size_t lanes, size_t vectors, size_t most_rows>
constexpr TileFamily<Scalar> tile_family() {
  using Tiles =
      TilesOf<Scalar, lanes, vectors, typename RowsUpTo<most_rows>::type>;
  return {Tiles::by_rows, most_rows};
}

}  // namespace
}  // namespace tandem::cpu
