// MergeTable: which two tokens merge, in what rank, into what. One table and
// one engine serve every byte-pair tokenizer.
#pragma once

#include <tandem/text/token.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::text {

/// What a pair of tokens becomes.
struct Merge {
  std::size_t rank;
  TokenId product;
};

/// A map from pairs of tokens to merges, open-addressed because the engine
/// asks it several times for every symbol. Ids must be below no_token.
class MergeTable {
 public:
  static constexpr TokenId no_token = static_cast<TokenId>(-1);

  /// Makes room for `merge_count` merges.
  explicit MergeTable(std::size_t merge_count);

  /// The merge that holds the pair: `merge` itself, or the one that was there
  /// before, which stays.
  Merge insert(TokenId left, TokenId right, Merge merge);

  /// Null when the pair does not merge.
  const Merge* find(TokenId left, TokenId right) const;

 private:
  struct Slot {
    TokenId left = no_token;
    TokenId right = no_token;
    Merge merge{};
  };

  std::size_t slot_of(TokenId left, TokenId right) const;

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
};

}  // namespace tandem::text
