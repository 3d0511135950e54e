// A KernelSet from the width of a vector and the number of its registers.
#pragma once

#include "cpu/kernels/rows.h"
#include "cpu/kernels/tile.h"

namespace tandem::cpu {
namespace {

// Three registers in four hold sums; the rest hold what is added to them.
constexpr size_t rows_of_tile(size_t registers, size_t vectors) {
  const size_t rows = registers * 3 / 4 / vectors;
  return rows < 12 ? rows : 12;
}

// Enters the tiles of `lanes` and fewer lanes that serve up to
// lanes * vectors columns.
template <class Scalar, size_t lanes, size_t vectors, size_t registers>
constexpr void add_widths(TileFamily<Scalar>* by_columns) {
  if constexpr (vectors > 1) {
    add_widths<Scalar, lanes, vectors - 1, registers>(by_columns);
  } else if constexpr (lanes > 2) {
    add_widths<Scalar, lanes / 2, 2, registers>(by_columns);
  }
  const size_t narrowest = vectors == 1 ? lanes : (vectors - 1) * lanes + 1;
  for (size_t c = narrowest; c <= vectors * lanes; ++c) {
    by_columns[c] =
        tile_family<Scalar, lanes, vectors, rows_of_tile(registers, vectors)>();
  }
}

template <class Scalar, size_t lanes, size_t vectors, size_t registers>
struct Widths {
  TileFamily<Scalar> by_columns[lanes * vectors + 1] = {};

  constexpr Widths() {
    add_widths<Scalar, lanes, vectors, registers>(by_columns);
  }
};

template <class Scalar, size_t lanes, size_t vectors, size_t registers>
constexpr Widths<Scalar, lanes, vectors, registers> widths;

// Large products are made of tiles `vectors` wide.
template <class Scalar, size_t lanes, size_t vectors, size_t registers>
constexpr KernelSet<Scalar> make_kernel_set(const char* name) {
  constexpr size_t wide = 8;
  constexpr size_t square = lanes < 8 ? lanes : 8;
  return {name,
          lanes,
          rows_of_tile(registers, vectors),
          lanes * vectors,
          lanes * wide,
          rows_of_tile(registers, wide),
          widths<Scalar, lanes, vectors, registers>.by_columns,
          tile_family<Scalar, lanes, wide, rows_of_tile(registers, wide)>(),
          sum_rows<Scalar, square>,
          pack_transposed<Scalar, square>};
}

}  // namespace
}  // namespace tandem::cpu
