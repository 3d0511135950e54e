#include "cpu/mixed_product.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "cpu/thread_pool.h"

namespace tandem::cpu {
namespace {

constexpr std::size_t roundings_per_task = 8 * 1024;

// One operand of a product, rounded once: a dense copy of every matrix that is
// not a repeat of another.
class RoundedOperand {
 public:
  RoundedOperand(const ProductOperand& operand, std::size_t rows,
                 std::size_t columns, std::span<const std::size_t> batch_shape,
                 RoundTo16Bits round, unsigned max_threads)
      : source_(operand),
        rows_(rows),
        columns_(columns),
        shape_(batch_shape.begin(), batch_shape.end()),
        strides_(batch_shape.size()) {
    auto stride = static_cast<std::ptrdiff_t>(rows * columns);
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      if (operand.batch_strides[axis] == 0) shape_[axis] = 1;
      strides_[axis] = shape_[axis] == 1 ? 0 : stride;
      stride *= static_cast<std::ptrdiff_t>(shape_[axis]);
      matrices_ *= shape_[axis];
    }
    values_ =
        std::make_unique_for_overwrite<float[]>(matrices_ * rows * columns);
    const std::size_t grain = std::max<std::size_t>(
        roundings_per_task / std::max<std::size_t>(columns, 1), 1);
    parallel_chunks(matrices_ * rows, grain, max_threads,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t row = begin; row < end; ++row) {
                        round_row(row, round);
                      }
                    });
  }

  BatchOperand<float> view() const {
    return {values_.get(), static_cast<std::ptrdiff_t>(columns_), 1, strides_};
  }

 private:
  void round_row(std::size_t row, RoundTo16Bits round) {
    const double* from =
        source_.data +
        static_cast<std::ptrdiff_t>(row % rows_) * source_.row_stride;
    std::size_t matrix = row / rows_;
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      from += static_cast<std::ptrdiff_t>(matrix % shape_[axis]) *
              source_.batch_strides[axis];
      matrix /= shape_[axis];
    }
    float* to = values_.get() + row * columns_;
    for (std::size_t c = 0; c < columns_; ++c) {
      to[c] = static_cast<float>(round(*from));
      from += source_.column_stride;
    }
  }

  ProductOperand source_;
  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::size_t> shape_;
  std::vector<std::ptrdiff_t> strides_;
  std::size_t matrices_ = 1;
  std::unique_ptr<float[]> values_;
};

}  // namespace

void multiply_mixed(const Product& product, RoundTo16Bits round,
                    unsigned max_threads, const KernelSet<float>& kernels) {
  const auto& [m, n, k, batch_shape, left, right, output] = product;
  std::size_t cells = m * n;
  for (std::size_t extent : batch_shape) cells *= extent;
  if (cells == 0) return;
  const RoundedOperand a(left, m, k, batch_shape, round, max_threads);
  const RoundedOperand b(right, k, n, batch_shape, round, max_threads);
  const auto sums = std::make_unique_for_overwrite<float[]>(cells);
  multiply(
      BatchProduct<float>{m, n, k, batch_shape, a.view(), b.view(), sums.get()},
      max_threads, kernels);
  parallel_chunks(cells, roundings_per_task, max_threads,
                  [&, to = output](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      to[i] = round(static_cast<double>(sums[i]));
                    }
                  });
}

}  // namespace tandem::cpu
