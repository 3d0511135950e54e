#include <tandem/tensor/error.h>
#include <tandem/text/tokenizer.h>

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "text/piece_encoder.h"
#include "text/tokenizer_json.h"
#include "text/tokenizer_parts.h"
#include "text/utf8.h"

namespace tandem {
namespace {

using text::TextAssembler;
using text::TokenizerParts;
using text::TokenText;

const TokenText& token_text(const TokenizerParts& parts, TokenId id) {
  if (id >= parts.tokens.size() || !parts.tokens[id].exists) {
    throw TokenizerError("decode: unknown token: " + std::to_string(id) +
                         ", the vocabulary has " +
                         std::to_string(parts.tokens.size()));
  }
  return parts.tokens[id];
}

std::string push_token(const TokenizerParts& parts, TokenId id,
                       SpecialTokens special, TextAssembler& assembler) {
  const TokenText& token = token_text(parts, id);
  if (token.is_special && special == SpecialTokens::skip) return "";
  return assembler.push(token.piece);
}

// One text on its way through the parts.
class Encoding {
 public:
  explicit Encoding(const TokenizerParts& parts)
      : parts_(parts), encoder_(parts.model) {}

  void append(std::string_view text) {
    parts_.raw_tokens.split(
        text, [this](std::string_view stretch) { append_raw(stretch); },
        [this](TokenId id) { tokens_.push_back(id); });
  }

  void append(const std::vector<TokenId>& tokens) {
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  }

  std::vector<TokenId> finish() { return std::move(tokens_); }

 private:
  void append_raw(std::string_view stretch) {
    if (parts_.normalizer.changes_nothing()) {
      append_normalized(stretch);
    } else {
      append_normalized(parts_.normalizer.apply(stretch));
    }
  }

  void append_normalized(std::string_view text) {
    parts_.normalized_tokens.split(
        text,
        [this](std::string_view stretch) {
          parts_.pre_tokenizer.split(stretch, scratch_, append_piece_);
        },
        [this](TokenId id) { tokens_.push_back(id); });
  }

  const TokenizerParts& parts_;
  text::PieceEncoder encoder_;
  text::MatchScratch scratch_;
  std::vector<TokenId> tokens_;
  const text::PieceSink append_piece_ = [this](std::string_view piece) {
    encoder_.append(piece, tokens_);
  };
};

std::string content_of(const std::filesystem::path& path) {
  std::error_code ignored;  // what cannot be asked is no regular file either
  std::ifstream stream;
  if (std::filesystem::is_regular_file(path, ignored)) {
    stream.open(path, std::ios::binary);
  }
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) {
    throw FileError("tokenizer: cannot read: " + path.string());
  }
  return content;
}

}  // namespace

Tokenizer::Tokenizer(std::shared_ptr<const TokenizerParts> parts)
    : parts_(std::move(parts)) {}

Tokenizer Tokenizer::open(const std::filesystem::path& path) {
  return from_json(content_of(path), path.string());
}

Tokenizer Tokenizer::from_json(std::string_view json,
                               const std::string& source) {
  return Tokenizer(text::read_tokenizer_json(json, source));
}

std::size_t Tokenizer::vocabulary_size() const { return parts_->tokens.size(); }

std::optional<TokenId> Tokenizer::id_of(std::string_view spelling) const {
  const auto found = parts_->ids.find(spelling);
  if (found == parts_->ids.end()) return std::nullopt;
  return found->second;
}

std::vector<TokenId> Tokenizer::encode(std::string_view text,
                                       Framing framing) const {
  text::require_utf8(text, "encode");
  Encoding encoding(*parts_);
  if (framing == Framing::as_model) encoding.append(parts_->before);
  encoding.append(text);
  if (framing == Framing::as_model) encoding.append(parts_->after);
  return encoding.finish();
}

std::string Tokenizer::decode(std::span<const TokenId> tokens,
                              SpecialTokens special) const {
  TextAssembler assembler(parts_->strip_spaces, TextAssembler::Runs::whole);
  std::string text;
  for (const TokenId id : tokens) {
    text += push_token(*parts_, id, special, assembler);
  }
  return text + assembler.finish();
}

struct TextStream::State {
  std::shared_ptr<const TokenizerParts> parts;
  SpecialTokens special;
  TextAssembler assembler;

  static TextAssembler new_text(const TokenizerParts& parts) {
    return {parts.strip_spaces, TextAssembler::Runs::streaming};
  }
};

TextStream::TextStream(const Tokenizer& tokenizer, SpecialTokens special)
    : state_(new State{tokenizer.parts_, special,
                       State::new_text(*tokenizer.parts_)}) {}

TextStream::~TextStream() = default;
TextStream::TextStream(TextStream&&) noexcept = default;
TextStream& TextStream::operator=(TextStream&&) noexcept = default;

std::string TextStream::push(TokenId token) {
  return push_token(*state_->parts, token, state_->special, state_->assembler);
}

std::string TextStream::finish() {
  std::string text = state_->assembler.finish();
  state_->assembler = State::new_text(*state_->parts);
  return text;
}

}  // namespace tandem
