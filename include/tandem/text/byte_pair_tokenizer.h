// BytePairTokenizer: byte-level byte-pair encoding with the id layout of the
// decoder fixture: controls, then the 256 bytes, then one id per merge.
#pragma once

#include <tandem/export.h>
#include <tandem/text/token.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

/// Two tokens that become one. The rank of a merge is its place in the list.
struct MergePair {
  TokenId left;
  TokenId right;
};

/// Maps bytes to tokens and back. Merges run in rank order, and within a rank
/// from left to right without overlap; controls never enter merging. A copy is
/// cheap and shares the tables, which never change: threads may share one.
///
/// `bytes` may hold anything; `text` is strict UTF-8; a document is
/// BOS, content, EOS. Every fault is a TokenizerError.
class TANDEM_API BytePairTokenizer {
 public:
  static constexpr TokenId bos = 0;            ///< begins a document
  static constexpr TokenId eos = 1;            ///< ends a document
  static constexpr TokenId first_byte = 2;     ///< byte b is first_byte + b
  static constexpr TokenId first_merge = 258;  ///< rank r is first_merge + r

  /// No merges: one token per byte.
  BytePairTokenizer();

  /// Throws on an operand that is a control or does not exist yet at its rank,
  /// and on a pair that stands twice.
  explicit BytePairTokenizer(std::span<const MergePair> merges);

  /// The number of ids that a list of `merge_count` merges needs. Throws when
  /// they overflow TokenId.
  static std::size_t vocabulary_size(std::size_t merge_count);

  std::size_t vocabulary_size() const;

  std::vector<TokenId> encode_bytes(std::string_view bytes) const;
  std::vector<TokenId> encode_text(std::string_view text) const;
  std::vector<TokenId> encode_document(std::string_view text) const;

  /// Throws on a control token and on an id outside the vocabulary.
  std::string decode_bytes(std::span<const TokenId> tokens) const;
  /// As decode_bytes, and throws unless the bytes are UTF-8.
  std::string decode_text(std::span<const TokenId> tokens) const;
  /// The text between BOS and EOS. Throws unless they stand at the two ends
  /// and nowhere else.
  std::string decode_document(std::span<const TokenId> tokens) const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
};

}  // namespace tandem
