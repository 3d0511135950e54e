// PieceModel: the vocabulary and merges of a tokenizer.json, ready to turn
// pieces of text into tokens.
#pragma once

#include <tandem/text/token.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "text/merge_table.h"
#include "text/string_map.h"

namespace tandem::text {

/// What a text is made of before merging.
enum class Symbols {
  bytes,       ///< bytes, spelled in the byte alphabet
  characters,  ///< characters; one without a token falls back to its bytes
};

using Vocabulary = StringMap<TokenId>;
using SpelledMerges = std::vector<std::pair<std::string, std::string>>;

/// How the fallback token of a byte is spelled: `<0x0A>`.
std::string byte_token_spelling(unsigned char byte);

class PieceModel {
 public:
  /// Throws TokenizerError on a merge whose parts or product have no token or
  /// whose pair stands twice; and, for characters, unless every byte has a
  /// fallback token, which no merge may take part in.
  PieceModel(const Vocabulary& vocabulary, const SpelledMerges& merges,
             Symbols symbols);

  /// From now on a piece that is a token is that token, whatever merges say.
  void keep_whole_pieces(const Vocabulary& vocabulary);

  /// MergeTable::no_token unless whole pieces are kept and this is one.
  TokenId whole_piece(std::string_view piece) const;

  /// Adds the symbols of `piece`. Throws TokenizerError on a byte that has no
  /// token.
  void append_symbols(std::string_view piece,
                      std::vector<TokenId>& tokens) const;

  /// The length of the shortest beginning of `piece`, which is not empty, whose
  /// end no merge can cross: it may be encoded by itself.
  std::size_t closed_length(std::string_view piece) const;

  const MergeTable& merges() const { return merges_; }

 private:
  void read_bytes(const Vocabulary& vocabulary);
  void read_characters(const Vocabulary& vocabulary);
  void add_merge(const Vocabulary& vocabulary, const std::string& left,
                 const std::string& right, std::size_t rank);
  TokenId operand(const Vocabulary& vocabulary, const std::string& spelling,
                  std::size_t rank) const;
  void append_bytes(std::string_view bytes, std::vector<TokenId>& tokens) const;
  void link(std::string_view left, std::string_view right);
  bool linked(std::string_view left, std::string_view right) const;

  Symbols symbols_;
  std::array<TokenId, 256> bytes_;
  StringMap<TokenId> characters_;
  StringMap<TokenId> whole_pieces_;
  MergeTable merges_;
  // Pairs of characters between which some merge joins.
  std::unordered_set<std::uint64_t> links_;
};

}  // namespace tandem::text
