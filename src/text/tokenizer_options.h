// The options of a tokenizer.json, other than its vocabulary: each component
// is read into what it does, and what is not supported is refused by name.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "text/normalizer.h"
#include "text/piece_model.h"
#include "text/pre_tokenizer.h"

namespace tandem::text {

/// The member, or null where it is absent or null.
const nlohmann::json* find_member(const nlohmann::json& object,
                                  const char* key);

/// The member `key` of `where`. These throw FileError where it is absent or of
/// another type.
const nlohmann::json& member(const nlohmann::json& object, const char* key,
                             std::string_view where);
const nlohmann::json& list_member(const nlohmann::json& object, const char* key,
                                  std::string_view where);
std::string string_member(const nlohmann::json& object, const char* key,
                          std::string_view where);
std::size_t count_member(const nlohmann::json& object, const char* key,
                         std::string_view where);

/// As above, but `otherwise` where it is absent.
bool flag_member(const nlohmann::json& object, const char* key, bool otherwise,
                 std::string_view where);

/// Throws TokenizerError: unsupported, by name.
[[noreturn]] void reject_unsupported(const std::string& what);

/// How tokens are spelled and put together.
struct Decoding {
  bool byte_alphabet = false;
  bool byte_fallback = false;
  std::string space;  // what stands for a space; empty: nothing does
  std::size_t strip_spaces = 0;
};

/// What stands around a text, as spelled in the template.
struct Frame {
  std::vector<TokenId> before;
  std::vector<TokenId> after;
};

/// Each takes the component, which may be null.
void read_normalizer(const nlohmann::json* component, Normalizer& normalizer);
/// Returns what the pieces are made of.
Symbols read_pre_tokenizer(const nlohmann::json* component,
                           PreTokenizer& pre_tokenizer);
void read_post_processor(const nlohmann::json* component, Frame& frame);
Decoding read_decoder(const nlohmann::json* component);

}  // namespace tandem::text
