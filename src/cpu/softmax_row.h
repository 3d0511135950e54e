// The shifted exponentials of one row, which softmax and the negative
// log-likelihood share.
#pragma once

#include <cstddef>

namespace tandem::cpu {

/// Elements at a constant distance.
template <class Value>
struct Row {
  Value* first;
  std::ptrdiff_t stride;

  Value& operator[](std::size_t i) const {
    return first[static_cast<std::ptrdiff_t>(i) * stride];
  }
};

/// The place of the first element that is the maximum; count >= 1.
std::size_t first_maximum(Row<const double> row, std::size_t count);

/// A row's maximum, and the sum of exp(x - maximum) over all but the first
/// element equal to it, ascending. The denominator of softmax is 1 + tail.
struct RowSummary {
  double maximum;
  double tail;
};

RowSummary summarize(Row<const double> row, std::size_t count);

/// exp(x - maximum) / (1 + tail); zeros where all of the row is minus infinity.
/// `x` may be `out`.
void softmax_row(Row<const double> x, Row<double> out, std::size_t count);

}  // namespace tandem::cpu
