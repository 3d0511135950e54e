#include "cpu/softmax_row.h"

#include <cmath>
#include <limits>

#include "cpu/scalar_functions.h"

namespace tandem::cpu {

std::size_t first_maximum(Row<const double> row, std::size_t count) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (row[i] > row[first]) first = i;
  }
  return first;
}

RowSummary summarize(Row<const double> row, std::size_t count) {
  const std::size_t first = first_maximum(row, count);
  const double maximum = row[first];
  double tail = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != first) tail += std::exp(row[i] - maximum);
  }
  return {maximum, tail};
}

// Adds up as summarize() does, but computes each exponential once.
void softmax_row(Row<const double> x, Row<double> out, std::size_t count) {
  const std::size_t first = first_maximum(x, count);
  const double maximum = x[first];
  if (maximum == -std::numeric_limits<double>::infinity()) {
    // Every key is masked, and gets no weight.
    for (std::size_t i = 0; i < count; ++i) out[i] = 0.0;
    return;
  }
  double tail = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = std::exp(x[i] - maximum);
    if (i != first) tail += out[i];
  }
  const double denominator = 1.0 + tail;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = positive_zero(out[i] / denominator);
  }
}

}  // namespace tandem::cpu
