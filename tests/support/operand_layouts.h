// Operands whose values are known independently of the view that shows them.
#pragma once

#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <vector>

#include "support/test_values.h"

namespace tandem::test {

enum class OperandLayout {
  packed,
  transposed,      ///< the last two axes swapped
  stepped,         ///< every second element along the last two axes
  offset,          ///< a window inside a larger tensor
  zero_stride,     ///< one row, repeated
  permuted_batch,  ///< batch axes moved
};

std::vector<OperandLayout> all_layouts();
const char* to_string(OperandLayout layout);

/// A view of the given shape, rank >= 2, in a layout. Elements of the base that
/// the view does not show are huge, so that reading one is seen.
struct Operand {
  std::vector<double> values;  ///< what the view shows, row-major
  std::vector<double> base_before;
  Tensor base;
  TensorView view;

  /// True while the base holds the bits that it was made of.
  bool is_unchanged() const;
};

Operand make_operand(OperandLayout layout, const Shape& shape,
                     TestValues& values);

}  // namespace tandem::test
