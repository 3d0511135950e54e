#include "cpu/softmax_row.h"

#include <cmath>

namespace tandem::cpu {

RowSummary summarize(Row<const double> row, std::size_t count) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (row[i] > row[first]) first = i;
  }
  const double maximum = row[first];
  double tail = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != first) tail += std::exp(row[i] - maximum);
  }
  return {maximum, tail};
}

}  // namespace tandem::cpu
