#include "cpu/matrix_product.h"

#include <algorithm>
#include <limits>

#include "cpu/scratch.h"

namespace tandem::cpu {
namespace {

// Blocks of a large product: a packed block of the left operand (row_block x
// depth_block) and one panel of the right one stay in a 1 MiB second-level
// cache; column_block bounds the memory that packing the right one takes.
constexpr std::size_t depth_block = 384;
constexpr std::size_t row_block = 144;
constexpr std::size_t column_block = 512;

// Up to so many rows the right operand is read once from where it lies, in
// strips that run along its rows.
constexpr std::size_t few_rows = 48;
constexpr std::size_t strip_depth = 16;

// An operand of so many elements stays in the second-level cache unpacked.
constexpr std::size_t cached_elements = 64 * 1024;

// Below so many multiplications setting up tiles costs more than it saves.
constexpr std::size_t plain_work = 3 * 3 * 3;

template <class Scalar>
struct Workspace {
  Scratch<Scalar> left;
  Scratch<Scalar> right;
};

template <class Scalar>
Workspace<Scalar>& workspace() {
  static thread_local Workspace<Scalar> memory;
  return memory;
}

std::size_t ceiling_quotient(std::size_t a, std::size_t b) {
  return a / b + (a % b != 0);
}

template <class Scalar>
void multiply_plainly(const MatrixProduct<Scalar>& product) {
  const auto& [m, n, k, left, right, output, output_row] = product;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (std::size_t p = 0; p < k; ++p)
        sum += *left.at(i, p) * *right.at(p, j);
      if (sum != sum) sum = std::numeric_limits<Scalar>::quiet_NaN();
      output[static_cast<std::ptrdiff_t>(i) * output_row +
             static_cast<std::ptrdiff_t>(j)] = sum;
    }
  }
}

// The weights of a row of sums: contiguous, or null where all are 1, which is
// how a plain sum is asked for.
template <class Scalar>
const Scalar* row_weights(const MatrixProduct<Scalar>& product) {
  const Matrix<Scalar>& left = product.left;
  if (left.column_stride == 1) return left.data;
  if (left.column_stride == 0 && *left.data == 1) return nullptr;
  Scalar* copy = workspace<Scalar>().left.reserve(product.k);
  for (std::size_t p = 0; p < product.k; ++p) copy[p] = *left.at(0, p);
  return copy;
}

// One row times a matrix whose columns are contiguous.
template <class Scalar>
void multiply_row_by_columns(const MatrixProduct<Scalar>& product,
                             const KernelSet<Scalar>& kernels) {
  kernels.sum_rows({product.k, row_weights(product), product.right.data,
                    product.right.column_stride, product.n, product.output});
}

// The blocked loops around the tile. A cell's sum rests in the output between
// two blocks of the depth, which loses nothing.
template <class Scalar>
class BlockedProduct {
 public:
  BlockedProduct(const MatrixProduct<Scalar>& product,
                 const KernelSet<Scalar>& kernels)
      : product_(product), kernels_(kernels), blocks_(choose_blocks()) {}

  void run() {
    std::size_t columns = 0;
    for (std::size_t j = 0; j < product_.n; j += columns) {
      columns = block_width(product_.n - j, blocks_.columns);
      for (std::size_t p = 0; p < product_.k; p += blocks_.depth) {
        run_panel(j, columns, p, std::min(blocks_.depth, product_.k - p));
      }
    }
  }

 private:
  struct Blocks {
    std::size_t rows;
    std::size_t columns;
    std::size_t depth;
    bool pack_left;
    bool pack_right;
  };

  // Rows [first, first + rows) of the left operand at some depth.
  struct LeftBlock {
    std::size_t first;
    std::size_t rows;
    Matrix<Scalar> matrix;
  };

  Blocks choose_blocks() const {
    const auto& [m, n, k, left, right, output, output_row] = product_;
    const bool in_rows = right.column_stride == 1;
    const bool pack_left =
        m * k > cached_elements && n >= 2 * kernels_.tile_columns;
    if (in_rows && m <= few_rows) {
      return {few_rows, column_block * few_rows / m, strip_depth, false, false};
    }
    if (in_rows && n * k <= cached_elements) {
      return {pack_left ? row_block : m, n, depth_block, pack_left, false};
    }
    return {pack_left ? row_block : m, column_block, depth_block, pack_left,
            true};
  }

  void run_panel(std::size_t j, std::size_t columns, std::size_t p,
                 std::size_t depth) {
    const Matrix<Scalar> right = product_.right.from(p, j);
    const Scalar* packed =
        blocks_.pack_right ? pack_right(right, columns, depth) : nullptr;
    for (std::size_t i = 0; i < product_.m; i += blocks_.rows) {
      const std::size_t rows = std::min(blocks_.rows, product_.m - i);
      Matrix<Scalar> left = product_.left.from(i, p);
      if (blocks_.pack_left) left = pack_left(left, rows, depth);
      TileWork<Scalar> work{};
      work.depth = depth;
      work.resume = p != 0;
      work.finish = p + depth == product_.k;
      for (std::size_t c = 0; c < columns; c += work.columns) {
        work.columns = tile_width(columns - c);
        work.right = packed ? packed + c * depth : right.at(0, c);
        work.right_step = packed ? static_cast<std::ptrdiff_t>(work.columns)
                                 : right.row_stride;
        run_column({i, rows, left}, j + c, work);
      }
    }
  }

  // Tiles of about the same height, one below the other.
  void run_column(const LeftBlock& left, std::size_t column,
                  TileWork<Scalar>& work) const {
    const TileFamily<Scalar>& family = work.columns > kernels_.tile_columns
                                           ? kernels_.wide
                                           : kernels_.by_columns[work.columns];
    work.left = left.matrix.data;
    work.left_row = left.matrix.row_stride;
    work.left_step = left.matrix.column_stride;
    work.output_row = product_.output_row;
    work.output = product_.output +
                  static_cast<std::ptrdiff_t>(left.first) * work.output_row +
                  static_cast<std::ptrdiff_t>(column);
    if (left.rows <= family.most_rows) {
      return family.by_rows[left.rows](work);
    }
    const std::size_t tiles = ceiling_quotient(left.rows, family.most_rows);
    const std::size_t height = left.rows / tiles;
    const std::size_t taller = left.rows % tiles;
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t rows = height + (t < taller);
      family.by_rows[rows](work);
      work.left += static_cast<std::ptrdiff_t>(rows) * work.left_row;
      work.output += static_cast<std::ptrdiff_t>(rows) * work.output_row;
    }
  }

  // The width of the next block or tile, `usual` if it may, when `columns` are
  // left. What remains after it is nothing or at least a vector, because no
  // kernel takes a single column.
  std::size_t block_width(std::size_t columns, std::size_t usual) const {
    if (columns <= usual) return columns;
    return columns >= usual + kernels_.lanes ? usual : usual - kernels_.lanes;
  }

  std::size_t tile_width(std::size_t columns) const {
    const std::size_t wide = kernels_.wide_columns;
    const bool fits = columns == wide || columns >= wide + kernels_.lanes;
    if (fits && product_.m <= kernels_.wide_rows) return wide;
    return block_width(columns, kernels_.tile_columns);
  }

  // Panels one after the other, each as wide as a tile and row by row.
  const Scalar* pack_right(const Matrix<Scalar>& right, std::size_t columns,
                           std::size_t depth) const {
    Scalar* packed = workspace<Scalar>().right.reserve(columns * depth);
    if (right.column_stride == 1) {
      pack_rows(right, columns, depth, packed);
      return packed;
    }
    std::size_t width = 0;
    for (std::size_t c = 0; c < columns; c += width) {
      width = tile_width(columns - c);
      Scalar* panel = packed + c * depth;
      if (right.row_stride == 1) {
        kernels_.pack_transposed(depth, width, right.at(0, c),
                                 right.column_stride, panel);
      } else {
        copy_elements(right.from(0, c), depth, width, panel, width);
      }
    }
    return packed;
  }

  // Along whole rows, because memory is fastest when it is read in order.
  void pack_rows(const Matrix<Scalar>& right, std::size_t columns,
                 std::size_t depth, Scalar* packed) const {
    for (std::size_t p = 0; p < depth; ++p) {
      std::size_t width = 0;
      for (std::size_t c = 0; c < columns; c += width) {
        width = tile_width(columns - c);
        std::copy_n(right.at(p, c), width, packed + c * depth + p * width);
      }
    }
  }

  // A compact copy in the orientation that the operand has already.
  static Matrix<Scalar> pack_left(const Matrix<Scalar>& left, std::size_t rows,
                                  std::size_t depth) {
    if (left.row_stride == 1) {
      return pack_left(left.transposed(), depth, rows).transposed();
    }
    // A stride of whole pages would put all rows into the same cache sets.
    const std::size_t stride = (depth + 15) / 8 * 8;
    Scalar* packed = workspace<Scalar>().left.reserve(rows * stride);
    if (left.column_stride == 1) {
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(left.at(i, 0), depth, packed + i * stride);
      }
    } else {
      copy_elements(left, rows, depth, packed, stride);
    }
    return {packed, static_cast<std::ptrdiff_t>(stride), 1};
  }

  static void copy_elements(const Matrix<Scalar>& from, std::size_t rows,
                            std::size_t columns, Scalar* to,
                            std::size_t stride) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        to[r * stride + c] = *from.at(r, c);
      }
    }
  }

  const MatrixProduct<Scalar>& product_;
  const KernelSet<Scalar>& kernels_;
  Blocks blocks_;
};

}  // namespace

template <class Scalar>
void multiply_on_one_thread(const MatrixProduct<Scalar>& product,
                            const KernelSet<Scalar>& kernels) {
  if (product.n == 1 || product.m * product.n * product.k < plain_work) {
    multiply_plainly(product);
  } else if (product.m == 1 && product.right.row_stride == 1 &&
             product.right.column_stride != 1) {
    multiply_row_by_columns(product, kernels);
  } else {
    BlockedProduct<Scalar>(product, kernels).run();
  }
}

template void multiply_on_one_thread(const MatrixProduct<double>&,
                                     const KernelSet<double>&);
template void multiply_on_one_thread(const MatrixProduct<float>&,
                                     const KernelSet<float>&);

}  // namespace tandem::cpu
