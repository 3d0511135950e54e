#include "support/mixed_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/bits.h"

namespace tandem::test {
namespace {

struct Format {
  int fraction_bits;
  int least_exponent;  // of a normal value
  double largest;
};

constexpr Format binary16{10, -14, 65504.0};
constexpr Format bfloat16{7, -126, 0x1.fep+127};

double round_to(const Format& format, double value) {
  if (!std::isfinite(value) || value == 0.0) return value;
  const int exponent = std::max(std::ilogb(value), format.least_exponent);
  // One unit in the last place; both scalings are exact in binary64.
  const double unit = std::ldexp(1.0, exponent - format.fraction_bits);
  const double rounded = std::nearbyint(value / unit) * unit;
  if (std::fabs(rounded) <= format.largest) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

double round_to_binary32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

Format format_of(MatmulPrecision precision) {
  return precision == MatmulPrecision::F16F32 ? binary16 : bfloat16;
}

TensorView oriented(const TensorView& view, bool transposed) {
  return transposed ? view.transpose(view.rank() - 2, view.rank() - 1) : view;
}

// The operand's matrices, one after another, for every place of the batch.
std::vector<double> repeated(const TensorView& view, const Shape& batch,
                             const Format& format) {
  const std::size_t rank = view.rank();
  const Shape shape = batch.with_axis(batch.rank(), view.shape()[rank - 2])
                          .with_axis(batch.rank() + 1, view.shape()[rank - 1]);
  std::vector<double> values = values_of(view.broadcast_to(shape));
  for (double& value : values) value = round_to(format, value);
  return values;
}

Shape batch_of(const TensorView& view) {
  Shape batch = view.shape();
  return batch.without_axis(view.rank() - 1).without_axis(view.rank() - 2);
}

}  // namespace

double round_to_format(MatmulPrecision precision, double value) {
  return round_to(format_of(precision), value);
}

// Binary64 holds the product of two binary32 values exactly; and rounding
// their sum to 53 bits first does not change its rounding to 24 bits, because
// 53 >= 2 * 24 + 2. So these are the roundings of binary32.
std::vector<double> mixed_product(MatmulPrecision precision,
                                  const TensorView& left,
                                  const TensorView& right, bool transpose_left,
                                  bool transpose_right) {
  const Format format = format_of(precision);
  const TensorView a = oriented(left, transpose_left);
  const TensorView b = oriented(right, transpose_right);
  const std::size_t m = a.shape()[a.rank() - 2];
  const std::size_t k = a.shape()[a.rank() - 1];
  const std::size_t n = b.shape()[b.rank() - 1];
  const Shape batch = broadcast_shapes(batch_of(a), batch_of(b), "test");
  const std::vector<double> lefts = repeated(a, batch, format);
  const std::vector<double> rights = repeated(b, batch, format);
  std::vector<double> cells(element_count(batch, "test") * m * n);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const double* row = lefts.data() + cell / n * k;
    const double* column = rights.data() + cell / (m * n) * k * n + cell % n;
    double sum = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      const double product = round_to_binary32(row[i] * column[i * n]);
      sum = round_to_binary32(sum + product);
    }
    cells[cell] = round_to(format, sum);
  }
  return cells;
}

}  // namespace tandem::test
