// Tokenizer: text to tokens and back by a model's own tokenizer.json.
#pragma once

#include <tandem/export.h>
#include <tandem/text/token.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

namespace text {
struct TokenizerParts;
}

/// Whether encoding frames a text as the model expects it, mostly by a token
/// that begins every text.
enum class Framing { as_model, none };

/// Whether decoding leaves out tokens that are no text, such as an end mark.
enum class SpecialTokens { skip, show };

/// A byte-pair tokenizer in the Hugging Face format: byte-level as GPT-2 and
/// SmolLM have it, or over characters with byte fallback as Llama has it. It
/// gives the ids that the format's own implementation gives. A copy is cheap,
/// nothing ever changes, and threads may share one.
class TANDEM_API Tokenizer {
 public:
  /// Reads a tokenizer.json. Throws FileError where it cannot be read or is
  /// malformed, and TokenizerError where it asks for something that is not
  /// supported, which the message names.
  static Tokenizer open(const std::filesystem::path& path);

  /// The same from memory; `source` names it in messages.
  static Tokenizer from_json(std::string_view json, const std::string& source);

  /// One more than the largest id.
  std::size_t vocabulary_size() const;

  /// The id of a token as the file spells it.
  std::optional<TokenId> id_of(std::string_view spelling) const;

  /// Special tokens that are spelled in the text are recognised. Throws
  /// TokenizerError unless `text` is UTF-8.
  std::vector<TokenId> encode(std::string_view text,
                              Framing framing = Framing::as_model) const;

  /// Bytes that are no character become U+FFFD. Throws TokenizerError on an id
  /// that is no token.
  std::string decode(std::span<const TokenId> tokens,
                     SpecialTokens special = SpecialTokens::skip) const;

 private:
  friend class TextStream;
  explicit Tokenizer(std::shared_ptr<const text::TokenizerParts> parts);
  std::shared_ptr<const text::TokenizerParts> parts_;
};

/// Decodes token by token and never gives out a part of a character. What
/// push and finish return adds up to what decode returns, except where bytes of
/// a Llama-like model are ill-formed: decode then withdraws the characters
/// before them too, back to the last token that is not a byte.
class TANDEM_API TextStream {
 public:
  explicit TextStream(const Tokenizer& tokenizer,
                      SpecialTokens special = SpecialTokens::skip);
  ~TextStream();
  TextStream(TextStream&&) noexcept;
  TextStream& operator=(TextStream&&) noexcept;

  /// The text that is certain once `token` is there, often none. Throws as
  /// decode does.
  std::string push(TokenId token);

  /// What is left when no token follows; afterwards a new text begins.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem
