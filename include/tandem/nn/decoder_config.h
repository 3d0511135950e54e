// DecoderConfig: the sizes and constants of a decoder.
#pragma once

#include <tandem/export.h>

#include <cstddef>

namespace tandem::nn {

struct TANDEM_API DecoderConfig {
  std::size_t vocabulary = 0;
  std::size_t width = 0;
  std::size_t heads = 1;
  std::size_t feed_forward_width = 0;
  std::size_t blocks = 0;
  std::size_t position_capacity = 0;
  double rope_base = 10000.0;
  double rms_epsilon = 1e-6;
  /// Fewer than heads: each serves heads / key_value_heads query heads. 0: as
  /// many as heads. Source: Ainslie et al., GQA, 2023.
  std::size_t key_value_heads = 0;
  /// Width of one head; 0: width / heads.
  std::size_t head_width = 0;
  /// The embedding table scores the tokens, too; else a table of its own does.
  bool tied_head = true;

  /// With the zeros above replaced by what they stand for. Throws ModelError
  /// naming the first value that makes no sense.
  DecoderConfig checked() const;

  friend bool operator==(const DecoderConfig&, const DecoderConfig&) = default;
};

}  // namespace tandem::nn
