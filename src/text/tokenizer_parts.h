// TokenizerParts: what a tokenizer.json is made into.
#pragma once

#include <tandem/text/token.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "text/added_tokens.h"
#include "text/normalizer.h"
#include "text/piece_model.h"
#include "text/pre_tokenizer.h"
#include "text/string_map.h"
#include "text/text_assembler.h"

namespace tandem::text {

/// What a token says.
struct TokenText {
  DecodedPiece piece;
  bool is_special = false;
  bool exists = false;  // ids may have gaps
};

struct TokenizerParts {
  explicit TokenizerParts(PieceModel made_model)
      : model(std::move(made_model)) {}

  AddedTokens raw_tokens;         // found in the text as it is given
  AddedTokens normalized_tokens;  // found after normalizing
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  PieceModel model;
  std::vector<TokenId> before;  // the frame of a text
  std::vector<TokenId> after;
  std::vector<TokenText> tokens;  // by id
  StringMap<TokenId> ids;         // by spelling
  std::size_t strip_spaces = 0;   // what a decoded text loses in front
};

}  // namespace tandem::text
