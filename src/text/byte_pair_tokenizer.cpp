#include <tandem/tensor/error.h>
#include <tandem/text/byte_pair_tokenizer.h>

#include <limits>

#include "text/merge_table.h"
#include "text/ranked_merger.h"
#include "text/utf8.h"

namespace tandem {

struct BytePairTokenizer::Tables {
  std::vector<MergePair> merges;     // by rank
  std::vector<std::size_t> lengths;  // of each merge in bytes, saturated
  text::MergeTable table;

  explicit Tables(std::span<const MergePair> pairs)
      : merges(pairs.begin(), pairs.end()), table(pairs.size()) {}

  TokenId end() const { return first_merge + merges.size(); }

  std::size_t length_of(TokenId token) const {
    return token < first_merge ? 1 : lengths[token - first_merge];
  }

  void add(std::size_t rank);
  std::size_t content_length(std::span<const TokenId> tokens,
                             std::size_t first_position,
                             const char* operation) const;
  void append(TokenId token, std::string& bytes) const;

  // Positions in errors count from `first_position`.
  std::string decode(std::span<const TokenId> tokens,
                     std::size_t first_position, const char* operation) const;
};

namespace {

constexpr std::size_t saturated = std::numeric_limits<std::size_t>::max();

std::size_t saturated_sum(std::size_t a, std::size_t b) {
  return a > saturated - b ? saturated : a + b;
}

[[noreturn]] void reject(const char* operation, const std::string& fault) {
  throw TokenizerError(std::string(operation) + ": " + fault);
}

std::string at_position(TokenId token, std::size_t position) {
  return std::to_string(token) + " at position " + std::to_string(position);
}

bool is_control(TokenId token) { return token < BytePairTokenizer::first_byte; }

}  // namespace

// Lengths double from merge to merge in the worst case, which is why tokens
// are expanded when they are decoded and not kept as strings.
void BytePairTokenizer::Tables::add(std::size_t rank) {
  const auto [left, right] = merges[rank];
  const TokenId product = first_merge + rank;
  if (is_control(left) || is_control(right) || left >= product ||
      right >= product) {
    reject("byte_pair_tokenizer",
           "unknown merge operand: rank " + std::to_string(rank) + " joins " +
               std::to_string(left) + " and " + std::to_string(right) +
               ", known are 2 to " + std::to_string(product - 1));
  }
  const text::Merge held = table.insert(left, right, {rank, product});
  if (held.rank != rank) {
    reject("byte_pair_tokenizer",
           "duplicate merge pair: " + std::to_string(left) + " and " +
               std::to_string(right) + " at ranks " +
               std::to_string(held.rank) + " and " + std::to_string(rank));
  }
  lengths.push_back(saturated_sum(length_of(left), length_of(right)));
}

void BytePairTokenizer::Tables::append(TokenId token,
                                       std::string& bytes) const {
  std::vector<TokenId> pending{token};  // the leftmost is on top
  while (!pending.empty()) {
    const TokenId top = pending.back();
    pending.pop_back();
    if (top < first_merge) {
      bytes.push_back(static_cast<char>(top - first_byte));
    } else {
      pending.push_back(merges[top - first_merge].right);
      pending.push_back(merges[top - first_merge].left);
    }
  }
}

std::size_t BytePairTokenizer::Tables::content_length(
    std::span<const TokenId> tokens, std::size_t first_position,
    const char* operation) const {
  std::size_t length = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_control(tokens[i])) {
      reject(operation, "control token in content: " +
                            at_position(tokens[i], first_position + i));
    }
    if (tokens[i] >= end()) {
      reject(operation,
             "unknown token: " + at_position(tokens[i], first_position + i) +
                 ", the vocabulary has " + std::to_string(end()));
    }
    length = saturated_sum(length, length_of(tokens[i]));
  }
  return length;
}

std::string BytePairTokenizer::Tables::decode(std::span<const TokenId> tokens,
                                              std::size_t first_position,
                                              const char* operation) const {
  std::string bytes;
  const std::size_t length = content_length(tokens, first_position, operation);
  if (length > bytes.max_size()) {
    reject(operation, "content too long: no string can hold it");
  }
  bytes.reserve(length);
  for (const TokenId token : tokens) append(token, bytes);
  return bytes;
}

BytePairTokenizer::BytePairTokenizer()
    : BytePairTokenizer(std::span<const MergePair>()) {}

BytePairTokenizer::BytePairTokenizer(std::span<const MergePair> merges) {
  vocabulary_size(merges.size());
  auto tables = std::make_shared<Tables>(merges);
  for (std::size_t rank = 0; rank < merges.size(); ++rank) tables->add(rank);
  tables_ = std::move(tables);
}

std::size_t BytePairTokenizer::vocabulary_size(std::size_t merge_count) {
  // The largest TokenId is left out: the merge engine marks gone tokens by it.
  if (merge_count > saturated - first_merge) {
    reject("byte_pair_tokenizer",
           "layout overflow: " + std::to_string(merge_count) +
               " merges do not fit above id 257");
  }
  return first_merge + merge_count;
}

std::size_t BytePairTokenizer::vocabulary_size() const {
  return tables_->end();
}

std::vector<TokenId> BytePairTokenizer::encode_bytes(
    std::string_view bytes) const {
  std::vector<TokenId> tokens;
  tokens.reserve(bytes.size());
  for (const char byte : bytes) {
    tokens.push_back(first_byte + static_cast<unsigned char>(byte));
  }
  text::RankedMerger(tables_->table).run(tokens);
  return tokens;
}

std::vector<TokenId> BytePairTokenizer::encode_text(
    std::string_view text) const {
  text::require_utf8(text, "encode_text");
  return encode_bytes(text);
}

std::vector<TokenId> BytePairTokenizer::encode_document(
    std::string_view text) const {
  text::require_utf8(text, "encode_document");
  std::vector<TokenId> tokens = encode_bytes(text);
  tokens.insert(tokens.begin(), bos);
  tokens.push_back(eos);
  return tokens;
}

std::string BytePairTokenizer::decode_bytes(
    std::span<const TokenId> tokens) const {
  return tables_->decode(tokens, 0, "decode_bytes");
}

std::string BytePairTokenizer::decode_text(
    std::span<const TokenId> tokens) const {
  std::string bytes = tables_->decode(tokens, 0, "decode_text");
  text::require_utf8(bytes, "decode_text");
  return bytes;
}

std::string BytePairTokenizer::decode_document(
    std::span<const TokenId> tokens) const {
  if (tokens.size() < 2) {
    reject("decode_document", "document too short: tokens are " +
                                  std::to_string(tokens.size()) +
                                  ", BOS and EOS are 2");
  }
  if (tokens.front() != bos) {
    reject("decode_document",
           "expected BOS: " + at_position(tokens.front(), 0));
  }
  if (tokens.back() != eos) {
    reject("decode_document",
           "expected EOS: " + at_position(tokens.back(), tokens.size() - 1));
  }
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (is_control(tokens[i])) {
      reject("decode_document",
             "interior control token: " + at_position(tokens[i], i));
    }
  }
  std::string bytes = tables_->decode(tokens.subspan(1, tokens.size() - 2), 1,
                                      "decode_document");
  text::require_utf8(bytes, "decode_document");
  return bytes;
}

}  // namespace tandem
