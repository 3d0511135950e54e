#include "text/tokenizer_json.h"

#include <tandem/tensor/error.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "text/byte_alphabet.h"
#include "text/strict_json.h"
#include "text/tokenizer_options.h"

namespace tandem::text {
namespace {

using Json = nlohmann::json;

// Tokens are listed by id, so a file must not ask for a list of any length.
constexpr TokenId largest_id = (1 << 24) - 1;

[[noreturn]] void reject_malformed(const std::string& fault) {
  throw FileError("tokenizer: malformed: " + fault);
}

TokenId checked_id(const Json& id, const std::string& spelling) {
  if (!id.is_number_unsigned() || id.get<TokenId>() > largest_id) {
    reject_malformed("id of '" + spelling + "' is " + id.dump() +
                     ", the largest is " + std::to_string(largest_id));
  }
  return id.get<TokenId>();
}

Vocabulary read_vocabulary(const Json& model) {
  const Json& entries = member(model, "vocab", "model");
  if (!entries.is_object()) reject_malformed("'vocab' of model is not a map");
  Vocabulary vocabulary;
  for (const auto& [spelling, id] : entries.items()) {
    vocabulary.emplace(spelling, checked_id(id, spelling));
  }
  return vocabulary;
}

// Both ways of writing a merge: ["a", "b"] and "a b".
std::pair<std::string, std::string> read_merge(const Json& merge) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
      merge[1].is_string()) {
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  }
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const std::size_t space = text.find(' ');
    if (space != std::string::npos && space == text.rfind(' ')) {
      return {text.substr(0, space), text.substr(space + 1)};
    }
  }
  reject_malformed("merge is not a pair: " + merge.dump());
}

SpelledMerges read_merges(const Json& model) {
  SpelledMerges merges;
  for (const Json& merge : list_member(model, "merges", "model")) {
    merges.push_back(read_merge(merge));
  }
  return merges;
}

void check_model_options(const Json& model) {
  const Json* const type = find_member(model, "type");
  if (type != nullptr && *type != "BPE") {
    reject_unsupported("model type: " + type->dump());
  }
  const Json* const dropout = find_member(model, "dropout");
  if (dropout != nullptr && *dropout != 0) {
    reject_unsupported("option of model: dropout");
  }
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    const Json* const affix = find_member(model, key);
    if (affix != nullptr && *affix != "") {
      reject_unsupported("option of model: " + std::string(key));
    }
  }
}

PieceModel read_model(const Json& model, Symbols symbols) {
  check_model_options(model);
  const bool fallback = flag_member(model, "byte_fallback", false, "model");
  if (symbols == Symbols::characters && !fallback) {
    reject_unsupported("model: neither byte-level nor with byte fallback");
  }
  const Vocabulary vocabulary = read_vocabulary(model);
  PieceModel pieces(vocabulary, read_merges(model), symbols);
  if (flag_member(model, "ignore_merges", false, "model")) {
    pieces.keep_whole_pieces(vocabulary);
  }
  return pieces;
}

// The byte that a spelling like <0x0A> stands for.
std::optional<char> fallback_byte(const std::string& spelling) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (spelling == byte_token_spelling(static_cast<unsigned char>(byte))) {
      return static_cast<char>(byte);
    }
  }
  return std::nullopt;
}

DecodedPiece decoded(const std::string& spelling, const Decoding& decoding,
                     const ByteAlphabet& alphabet) {
  if (decoding.byte_alphabet) {
    return {alphabet.bytes(spelling).value_or(spelling), false};
  }
  if (decoding.byte_fallback && spelling.starts_with("<0x")) {
    if (const auto byte = fallback_byte(spelling)) {
      return {std::string(1, *byte), true};
    }
  }
  if (decoding.space.empty()) return {spelling, false};
  return {replaced(spelling, decoding.space, " "), false};
}

// Builds the two directories of tokens.
class TokenRegister {
 public:
  TokenRegister(TokenizerParts& parts, const Decoding& decoding)
      : parts_(parts), decoding_(decoding) {}

  void add(const std::string& spelling, TokenId id) {
    const auto [place, is_new] = parts_.ids.emplace(spelling, id);
    if (!is_new && place->second != id) {
      reject_malformed("'" + spelling +
                       "' has two ids: " + std::to_string(place->second) +
                       " and " + std::to_string(id));
    }
    if (!is_new) return;
    if (id >= parts_.tokens.size()) parts_.tokens.resize(id + 1);
    TokenText& token = parts_.tokens[id];
    if (token.exists) {
      reject_malformed("two tokens have the id " + std::to_string(id));
    }
    token.exists = true;
    token.piece = decoded(spelling, decoding_, alphabet_);
  }

 private:
  TokenizerParts& parts_;
  const Decoding& decoding_;
  const ByteAlphabet alphabet_;
};

void check_added_options(const Json& added, const std::string& spelling) {
  if (spelling.empty()) reject_malformed("added token without content");
  for (const char* key : {"single_word", "lstrip", "rstrip"}) {
    if (flag_member(added, key, false, "added token")) {
      reject_unsupported("option of added token '" + spelling + "': " + key);
    }
  }
}

void read_added_token(const Json& added, TokenRegister& tokens,
                      TokenizerParts& parts) {
  const std::string spelling = string_member(added, "content", "added token");
  const TokenId id = checked_id(member(added, "id", "added token"), spelling);
  check_added_options(added, spelling);
  tokens.add(spelling, id);
  parts.tokens[id].is_special =
      flag_member(added, "special", false, "added token");
  if (flag_member(added, "normalized", true, "added token")) {
    parts.normalized_tokens.add(parts.normalizer.apply(spelling), id);
  } else {
    parts.raw_tokens.add(spelling, id);
  }
}

void read_tokens(const Json& document, const Decoding& decoding,
                 TokenizerParts& parts) {
  TokenRegister tokens(parts, decoding);
  for (const auto& [spelling, id] :
       read_vocabulary(member(document, "model", "tokenizer"))) {
    tokens.add(spelling, id);
  }
  if (find_member(document, "added_tokens") == nullptr) return;
  for (const Json& added : list_member(document, "added_tokens", "tokenizer")) {
    read_added_token(added, tokens, parts);
  }
}

void check_frame(const TokenizerParts& parts) {
  for (const auto* side : {&parts.before, &parts.after}) {
    for (const TokenId id : *side) {
      if (id >= parts.tokens.size() || !parts.tokens[id].exists) {
        reject_malformed("template uses an id without a token: " +
                         std::to_string(id));
      }
    }
  }
}

std::shared_ptr<const TokenizerParts> build(const Json& document) {
  for (const char* key : {"truncation", "padding"}) {
    if (find_member(document, key) != nullptr) {
      reject_unsupported("option of tokenizer: " + std::string(key));
    }
  }
  PreTokenizer pre_tokenizer;
  const Symbols symbols =
      read_pre_tokenizer(find_member(document, "pre_tokenizer"), pre_tokenizer);
  auto parts = std::make_shared<TokenizerParts>(
      read_model(member(document, "model", "tokenizer"), symbols));
  parts->pre_tokenizer = std::move(pre_tokenizer);
  read_normalizer(find_member(document, "normalizer"), parts->normalizer);
  Frame frame;
  read_post_processor(find_member(document, "post_processor"), frame);
  parts->before = std::move(frame.before);
  parts->after = std::move(frame.after);
  const Decoding decoding = read_decoder(find_member(document, "decoder"));
  parts->strip_spaces = decoding.strip_spaces;
  read_tokens(document, decoding, *parts);
  check_frame(*parts);
  return parts;
}

}  // namespace

std::shared_ptr<const TokenizerParts> read_tokenizer_json(
    std::string_view json, const std::string& source) {
  const Json document = parse_strict_json(json, "tokenizer", source);
  try {
    return build(document);
  } catch (const TokenizerError& error) {
    throw TokenizerError(std::string(error.what()) + ", in " + source);
  } catch (const FileError& error) {
    throw FileError(std::string(error.what()) + ", in " + source);
  }
}

}  // namespace tandem::text
