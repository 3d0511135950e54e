#include "cpu/product.h"

#include <algorithm>
#include <limits>

#include "cpu/matrix_product.h"
#include "cpu/thread_pool.h"

namespace tandem::cpu {
namespace {

// Less work than this is done before another thread has woken up.
constexpr std::size_t work_per_task = 128 * 1024;

// More tasks than threads even out what else the machine does.
constexpr std::size_t tasks_per_thread = 2;

// How each matrix of the output is cut into blocks.
struct Grid {
  std::size_t rows = 1;
  std::size_t columns = 1;

  std::size_t blocks() const { return rows * columns; }
};

// The grid, `most` at the finest, of about `blocks` blocks that packs the
// fewest elements: each block packs its own rows of the left and columns of the
// right operand.
Grid choose_grid(std::size_t m, std::size_t n, std::size_t blocks,
                 const Grid& most) {
  Grid best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t rows = 1; rows <= std::min(blocks, most.rows); ++rows) {
    const Grid grid{rows, std::min(blocks / rows, most.columns)};
    const double packed =
        static_cast<double>(m) * static_cast<double>(grid.columns) +
        static_cast<double>(n) * static_cast<double>(grid.rows);
    const bool fuller = grid.blocks() > best.blocks();
    if (fuller || (grid.blocks() == best.blocks() && packed < least)) {
      best = grid;
      least = packed;
    }
  }
  return best;
}

// Where block `index` of `count` begins in `extent`, on a multiple of `unit`
// elements; blocks of at least two units never come out empty.
std::size_t boundary(std::size_t index, std::size_t count, std::size_t extent,
                     std::size_t unit) {
  if (index == count) return extent;
  const std::size_t even = extent / count * index;
  return count == 1 ? even : even / unit * unit;
}

template <class Scalar>
class BatchedProduct {
 public:
  BatchedProduct(const BatchProduct<Scalar>& product,
                 const KernelSet<Scalar>& kernels)
      : product_(product), kernels_(kernels) {
    for (std::size_t extent : product.batch_shape) matrices_ *= extent;
  }

  void run(unsigned max_threads) {
    const std::size_t work = matrices_ * product_.m * product_.n * product_.k;
    if (max_threads == 1 || work < 2 * work_per_task) {
      parallel_for(1, 1, [this](std::size_t) {
        for (std::size_t i = 0; i < matrices_; ++i) run_matrix(i);
      });
      return;
    }
    if (max_threads == 0) max_threads = default_thread_count();
    const std::size_t wanted =
        std::min(max_threads * tasks_per_thread, work / work_per_task);
    if (wanted > matrices_) {
      grid_ = choose_grid(product_.m, product_.n, wanted / matrices_,
                          finest_grid());
    }
    const std::size_t blocks = matrices_ * grid_.blocks();
    const std::size_t grain = std::max<std::size_t>(blocks / wanted, 1);
    parallel_chunks(blocks, grain, max_threads,
                    [this](std::size_t begin, std::size_t end) {
                      for (std::size_t b = begin; b < end; ++b) run_block(b);
                    });
  }

 private:
  // No block is smaller than a tile.
  Grid finest_grid() const {
    return {std::max<std::size_t>(product_.m / kernels_.tile_rows, 1),
            std::max<std::size_t>(product_.n / kernels_.tile_columns, 1)};
  }

  void run_matrix(std::size_t matrix) const {
    run_cells(matrix, 0, product_.m, 0, product_.n);
  }

  void run_block(std::size_t block) const {
    const std::size_t matrix = block / grid_.blocks();
    const std::size_t row = block % grid_.blocks() / grid_.columns;
    const std::size_t column = block % grid_.columns;
    run_cells(matrix, row_boundary(row), row_boundary(row + 1),
              column_boundary(column), column_boundary(column + 1));
  }

  // Rows [top, bottom) and columns [first, last) of one matrix.
  void run_cells(std::size_t matrix, std::size_t top, std::size_t bottom,
                 std::size_t first, std::size_t last) const {
    multiply_on_one_thread<Scalar>(
        {bottom - top, last - first, product_.k,
         matrix_of(product_.left, matrix).from(top, 0),
         matrix_of(product_.right, matrix).from(0, first),
         product_.output + (matrix * product_.m + top) * product_.n + first,
         static_cast<std::ptrdiff_t>(product_.n)},
        kernels_);
  }

  std::size_t row_boundary(std::size_t row) const {
    return boundary(row, grid_.rows, product_.m, kernels_.tile_rows / 2);
  }

  std::size_t column_boundary(std::size_t column) const {
    return boundary(column, grid_.columns, product_.n, kernels_.lanes);
  }

  Matrix<Scalar> matrix_of(const BatchOperand<Scalar>& operand,
                           std::size_t matrix) const {
    const Scalar* data = operand.data;
    for (std::size_t axis = product_.batch_shape.size(); axis-- > 0;) {
      if (matrix == 0) break;
      const std::size_t extent = product_.batch_shape[axis];
      data += static_cast<std::ptrdiff_t>(matrix % extent) *
              operand.batch_strides[axis];
      matrix /= extent;
    }
    return {data, operand.row_stride, operand.column_stride};
  }

  const BatchProduct<Scalar>& product_;
  const KernelSet<Scalar>& kernels_;
  std::size_t matrices_ = 1;
  Grid grid_;
};

template <class Scalar>
BatchOperand<Scalar> transposed(const BatchOperand<Scalar>& operand) {
  return {operand.data, operand.column_stride, operand.row_stride,
          operand.batch_strides};
}

template <class Scalar>
void multiply_in(const BatchProduct<Scalar>& product, unsigned max_threads,
                 const KernelSet<Scalar>& kernels) {
  std::size_t cells = product.m * product.n;
  for (std::size_t extent : product.batch_shape) cells *= extent;
  if (cells == 0) return;
  if (product.k == 0) {
    std::fill_n(product.output, cells, Scalar{0});
  } else if (product.n == 1) {
    // A column is a row of the transposed product, and multiplication commutes.
    const BatchProduct<Scalar> row{1,
                                   product.m,
                                   product.k,
                                   product.batch_shape,
                                   transposed(product.right),
                                   transposed(product.left),
                                   product.output};
    BatchedProduct<Scalar>(row, kernels).run(max_threads);
  } else {
    BatchedProduct<Scalar>(product, kernels).run(max_threads);
  }
}

}  // namespace

void multiply(const Product& product, unsigned max_threads,
              const KernelSet<double>& kernels) {
  multiply_in(product, max_threads, kernels);
}

void multiply(const BatchProduct<float>& product, unsigned max_threads,
              const KernelSet<float>& kernels) {
  multiply_in(product, max_threads, kernels);
}

}  // namespace tandem::cpu
