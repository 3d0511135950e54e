#include "text/piece_model.h"

#include <tandem/tensor/error.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "text/byte_alphabet.h"
#include "text/utf8.h"

namespace tandem::text {
namespace {

[[noreturn]] void reject(const std::string& fault) {
  throw TokenizerError("tokenizer: " + fault);
}

// Spellings are UTF-8, so every byte that is not first continues a character.
std::string_view first_character(std::string_view text) {
  return text.substr(0, utf8_character_length(text));
}

std::string_view last_character(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 &&
         (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) {
    --begin;
  }
  return text.substr(begin);
}

// Two characters of at most four bytes each, side by side.
std::uint64_t link_key(std::string_view left, std::string_view right) {
  char bytes[8] = {};
  std::memcpy(bytes, left.data(), left.size());
  std::memcpy(bytes + 4, right.data(), right.size());
  std::uint64_t key = 0;
  std::memcpy(&key, bytes, sizeof key);
  return key;
}

}  // namespace

std::string byte_token_spelling(unsigned char byte) {
  char spelling[8];
  std::snprintf(spelling, sizeof spelling, "<0x%02X>", byte);
  return spelling;
}

PieceModel::PieceModel(const Vocabulary& vocabulary,
                       const SpelledMerges& merges, Symbols symbols)
    : symbols_(symbols), merges_(merges.size()) {
  read_bytes(vocabulary);
  if (symbols_ == Symbols::characters) read_characters(vocabulary);
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    add_merge(vocabulary, merges[rank].first, merges[rank].second, rank);
  }
}

void PieceModel::read_bytes(const Vocabulary& vocabulary) {
  const ByteAlphabet alphabet;
  for (unsigned value = 0; value < 256; ++value) {
    const auto byte = static_cast<unsigned char>(value);
    const std::string spelling = symbols_ == Symbols::bytes
                                     ? alphabet.character(byte)
                                     : byte_token_spelling(byte);
    const auto found = vocabulary.find(spelling);
    const bool known = found != vocabulary.end();
    if (!known && symbols_ == Symbols::characters) {
      reject("byte fallback lacks a token: '" + spelling + "'");
    }
    bytes_[value] = known ? found->second : MergeTable::no_token;
  }
}

void PieceModel::read_characters(const Vocabulary& vocabulary) {
  for (const auto& [spelling, id] : vocabulary) {
    if (!spelling.empty() &&
        first_character(spelling).size() == spelling.size()) {
      characters_[spelling] = id;
    }
  }
}

void PieceModel::keep_whole_pieces(const Vocabulary& vocabulary) {
  const ByteAlphabet alphabet;
  for (const auto& [spelling, id] : vocabulary) {
    if (symbols_ == Symbols::characters) {
      whole_pieces_[spelling] = id;
    } else if (const auto bytes = alphabet.bytes(spelling)) {
      whole_pieces_[*bytes] = id;
    }
  }
}

TokenId PieceModel::whole_piece(std::string_view piece) const {
  if (whole_pieces_.empty()) return MergeTable::no_token;
  const auto found = whole_pieces_.find(piece);
  return found == whole_pieces_.end() ? MergeTable::no_token : found->second;
}

void PieceModel::add_merge(const Vocabulary& vocabulary,
                           const std::string& left, const std::string& right,
                           std::size_t rank) {
  const TokenId left_id = operand(vocabulary, left, rank);
  const TokenId right_id = operand(vocabulary, right, rank);
  const auto product = vocabulary.find(left + right);
  if (product == vocabulary.end()) {
    reject("unknown merge product: '" + left + right + "' of rank " +
           std::to_string(rank));
  }
  const Merge held = merges_.insert(left_id, right_id, {rank, product->second});
  if (held.rank != rank) {
    reject("duplicate merge pair: '" + left + "' and '" + right +
           "' at ranks " + std::to_string(held.rank) + " and " +
           std::to_string(rank));
  }
  if (symbols_ == Symbols::characters) link(left, right);
}

TokenId PieceModel::operand(const Vocabulary& vocabulary,
                            const std::string& spelling,
                            std::size_t rank) const {
  const auto found = vocabulary.find(spelling);
  if (spelling.empty() || found == vocabulary.end()) {
    reject("unknown merge operand: '" + spelling + "' of rank " +
           std::to_string(rank));
  }
  // Its bytes would hide from the links what stands beside what.
  if (symbols_ == Symbols::characters &&
      std::count(bytes_.begin(), bytes_.end(), found->second) > 0) {
    reject("unsupported merge of a fallback token: '" + spelling +
           "' of rank " + std::to_string(rank));
  }
  return found->second;
}

void PieceModel::link(std::string_view left, std::string_view right) {
  links_.insert(link_key(last_character(left), first_character(right)));
}

bool PieceModel::linked(std::string_view left, std::string_view right) const {
  return links_.contains(link_key(left, right));
}

void PieceModel::append_symbols(std::string_view piece,
                                std::vector<TokenId>& tokens) const {
  if (symbols_ == Symbols::bytes) return append_bytes(piece, tokens);
  while (!piece.empty()) {
    const std::string_view character = first_character(piece);
    const auto found = characters_.find(character);
    if (found != characters_.end()) {
      tokens.push_back(found->second);
    } else {
      append_bytes(character, tokens);
    }
    piece.remove_prefix(character.size());
  }
}

void PieceModel::append_bytes(std::string_view bytes,
                              std::vector<TokenId>& tokens) const {
  for (const char signed_byte : bytes) {
    const auto byte = static_cast<unsigned char>(signed_byte);
    if (bytes_[byte] == MergeTable::no_token) {
      reject("byte without a token: " + byte_token_spelling(byte));
    }
    tokens.push_back(bytes_[byte]);
  }
}

std::size_t PieceModel::closed_length(std::string_view piece) const {
  if (symbols_ == Symbols::bytes || !whole_pieces_.empty()) return piece.size();
  std::size_t end = utf8_character_length(piece);
  std::string_view before = piece.substr(0, end);
  while (end < piece.size()) {
    const std::string_view after = first_character(piece.substr(end));
    if (!linked(before, after)) break;
    end += after.size();
    before = after;
  }
  return end;
}

}  // namespace tandem::text
