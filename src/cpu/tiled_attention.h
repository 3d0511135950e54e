// Tiled causal attention of one lane, forward and reverse, on one thread.
#pragma once

#include <cstddef>

#include "cpu/matrix_product.h"

namespace tandem::cpu {

/// The operands of one lane; strides as they come.
struct AttentionLane {
  std::size_t tokens;
  std::size_t width;
  std::size_t value_width;
  Matrix<double> query;  ///< [tokens, width]
  Matrix<double> key;    ///< [tokens, width]
  Matrix<double> value;  ///< [tokens, value width]
};

/// Computes rows [begin, end) of the lane's output, [tokens, value width], and
/// of its logarithms, [tokens]; both packed. Throws NonfiniteError naming
/// `first_row` + the row where a row has no finite greatest score.
void attend(const AttentionLane& lane, std::size_t begin, std::size_t end,
            std::size_t key_rows, double* output, double* logs,
            std::size_t first_row);

/// What the forward pass of a lane gave, and the upstream gradient.
struct AttentionUpstream {
  Matrix<double> output;    ///< [tokens, value width]
  Matrix<double> logs;      ///< [tokens, 1]
  Matrix<double> gradient;  ///< [tokens, value width]
};

/// Packed, of the shapes of the operands; all three are added to.
struct AttentionGradients {
  double* query;
  double* key;
  double* value;
};

void attend_reverse(const AttentionLane& lane,
                    const AttentionUpstream& upstream, std::size_t query_rows,
                    std::size_t key_rows, const AttentionGradients& gradients);

}  // namespace tandem::cpu
