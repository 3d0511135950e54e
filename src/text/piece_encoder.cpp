#include "text/piece_encoder.h"

namespace tandem::text {
namespace {

// Words are short and few; what exceeds these is not a word of a text that
// repeats itself, and memory must stay bounded.
constexpr std::size_t longest_remembered = 64;
constexpr std::size_t most_remembered = 1 << 16;

}  // namespace

void PieceEncoder::append(std::string_view piece,
                          std::vector<TokenId>& tokens) {
  while (!piece.empty()) {
    const std::size_t length = model_.closed_length(piece);
    append_closed(piece.substr(0, length), tokens);
    piece.remove_prefix(length);
  }
}

void PieceEncoder::append_closed(std::string_view piece,
                                 std::vector<TokenId>& tokens) {
  const auto found = remembered_.find(piece);
  if (found != remembered_.end()) {
    tokens.insert(tokens.end(), found->second.begin(), found->second.end());
    return;
  }
  encode(piece);
  tokens.insert(tokens.end(), encoded_.begin(), encoded_.end());
  if (piece.size() <= longest_remembered &&
      remembered_.size() < most_remembered) {
    remembered_.emplace(piece, encoded_);
  }
}

void PieceEncoder::encode(std::string_view piece) {
  encoded_.clear();
  const TokenId whole = model_.whole_piece(piece);
  if (whole != MergeTable::no_token) {
    encoded_.push_back(whole);
    return;
  }
  model_.append_symbols(piece, encoded_);
  merger_.run(encoded_);
}

}  // namespace tandem::text
