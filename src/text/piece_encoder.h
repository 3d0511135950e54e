// PieceEncoder: turns pieces of text into tokens, and remembers short ones,
// because a text repeats its words.
#pragma once

#include <tandem/text/token.h>

#include <string_view>
#include <vector>

#include "text/piece_model.h"
#include "text/ranked_merger.h"
#include "text/string_map.h"

namespace tandem::text {

/// A thread uses one of its own.
class PieceEncoder {
 public:
  /// `model` must outlive the encoder.
  explicit PieceEncoder(const PieceModel& model)
      : model_(model), merger_(model.merges()) {}

  /// Adds the tokens of `piece`, which is UTF-8.
  void append(std::string_view piece, std::vector<TokenId>& tokens);

 private:
  void append_closed(std::string_view piece, std::vector<TokenId>& tokens);
  void encode(std::string_view piece);

  const PieceModel& model_;
  RankedMerger merger_;
  std::vector<TokenId> encoded_;  // of the last piece that was not remembered
  StringMap<std::vector<TokenId>> remembered_;
};

}  // namespace tandem::text
