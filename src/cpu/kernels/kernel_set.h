// KernelSet: the inner loops of one instruction set, as the drivers call them.
//
// Files of this folder are compiled for instructions that the running CPU may
// lack. They include nothing of the standard C++ library: an inline function
// of it, emitted here, could be the copy that the linker keeps for everyone.
#pragma once

#include <stddef.h>

namespace tandem::cpu {

/// One tile of a product: `rows x columns` cells of the output, of which the
/// number of rows is the kernel's and `columns` lies between the widths that
/// its vectors cover. Strides count elements.
template <class Scalar>
struct TileWork {
  size_t depth;  ///< steps along the inner axis
  const Scalar* left;
  ptrdiff_t left_row;
  ptrdiff_t left_step;  ///< from one depth to the next
  const Scalar* right;  ///< columns lie side by side
  ptrdiff_t right_step;
  Scalar* output;  ///< columns lie side by side
  ptrdiff_t output_row;
  size_t columns;
  bool resume;  ///< go on from what `output` holds rather than from 0
  bool finish;  ///< no more depth will follow: store NaN as the canonical one
};

template <class Scalar>
using Tile = void (*)(const TileWork<Scalar>&);

/// The tiles of one width: `by_rows[r]` computes r rows, 1 <= r <= most_rows.
template <class Scalar>
struct TileFamily {
  const Tile<Scalar>* by_rows;
  size_t most_rows;
};

/// Weighted sums along contiguous rows: output[i] is the ascending sum over k
/// of weights[k] * rows[i * row_stride + k].
template <class Scalar>
struct RowWork {
  size_t depth;
  const Scalar* weights;  ///< null: every weight is 1
  const Scalar* rows;
  ptrdiff_t row_stride;
  size_t count;  ///< rows, at least 1
  Scalar* output;
};

template <class Scalar>
struct KernelSet {
  const char* name;
  size_t lanes;         ///< elements of one vector
  size_t tile_rows;     ///< the tile that large products are made of
  size_t tile_columns;  ///< at least two vectors
  size_t wide_columns;  ///< a wider tile, for wide_rows rows at most
  size_t wide_rows;
  /// by_columns[c] serves tiles of c columns, 2 <= c <= tile_columns.
  const TileFamily<Scalar>* by_columns;
  TileFamily<Scalar> wide;
  void (*sum_rows)(const RowWork<Scalar>&);
  /// packed[k * columns + c] = source[k + c * column_stride], for all k below
  /// `depth`.
  void (*pack_transposed)(size_t depth, size_t columns, const Scalar* source,
                          ptrdiff_t column_stride, Scalar* packed);
};

extern const KernelSet<double> baseline_kernels;
extern const KernelSet<float> baseline_float_kernels;
#if defined(__x86_64__)
extern const KernelSet<double> avx2_kernels;
extern const KernelSet<float> avx2_float_kernels;
extern const KernelSet<double> avx512_kernels;
extern const KernelSet<float> avx512_float_kernels;
#endif

}  // namespace tandem::cpu
