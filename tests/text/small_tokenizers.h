// Small tokenizer.json documents for tests to bend.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tandem::testing_support {

using Json = nlohmann::json;
using PairsOfSpellings = std::vector<std::pair<std::string, std::string>>;

inline std::string utf8_of(unsigned code_point) {
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  return {static_cast<char>(0xc0 | code_point >> 6),
          static_cast<char>(0x80 | (code_point & 0x3f))};
}

/// Gives each pair's product an id, if it has none, and lists the pair.
inline void add_merges(Json& document, const PairsOfSpellings& merges) {
  Json& vocabulary = document["model"]["vocab"];
  for (const auto& [left, right] : merges) {
    const std::string product = left + right;
    if (!vocabulary.contains(product)) {
      vocabulary[product] = vocabulary.size();
    }
    document["model"]["merges"].push_back({left, right});
  }
}

inline Json added_token(std::size_t id, const std::string& content,
                        bool special, bool normalized) {
  return {{"id", id},          {"content", content}, {"single_word", false},
          {"lstrip", false},   {"rstrip", false},    {"normalized", normalized},
          {"special", special}};
}

/// Byte-level: the end mark `<end>` is 0 and the printable ASCII character c is
/// 1 + (c - '!'); the other bytes follow.
inline Json byte_level_document(const PairsOfSpellings& merges = {}) {
  Json vocabulary = {{"<end>", 0}};
  unsigned other = 0x100;
  std::vector<std::string> others;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 33 && byte <= 126) ||
                        (byte >= 161 && byte <= 172) || byte >= 174;
    const std::string character = utf8_of(itself ? byte : other++);
    if (byte >= 33 && byte <= 126) {
      vocabulary[character] = byte - 32;
    } else {
      others.push_back(character);
    }
  }
  for (const std::string& character : others) {
    vocabulary[character] = vocabulary.size();
  }
  Json document = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", Json::array({added_token(0, "<end>", true, false)})},
      {"normalizer", nullptr},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
      {"post_processor", nullptr},
      {"decoder", {{"type", "ByteLevel"}}},
      {"model",
       {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", Json::array()}}}};
  add_merges(document, merges);
  return document;
}

/// What stands for a space in a Llama-like vocabulary.
inline const std::string low_line = "\xe2\x96\x81";

/// Llama-like: <unk> 0, <s> 1, </s> 2, the bytes 3 to 258, the low line 259,
/// a to z from 260 on.
inline Json fallback_document(const PairsOfSpellings& merges = {}) {
  Json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}};
  const char* const digits = "0123456789ABCDEF";
  for (std::size_t byte = 0; byte < 256; ++byte) {
    vocabulary[std::string("<0x") + digits[byte / 16] + digits[byte % 16] +
               ">"] = 3 + byte;
  }
  vocabulary[low_line] = 259;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    vocabulary[std::string(1, letter)] = vocabulary.size();
  }
  Json document = {
      {"added_tokens", Json::array({added_token(0, "<unk>", true, false),
                                    added_token(1, "<s>", true, false),
                                    added_token(2, "</s>", true, false)})},
      {"normalizer",
       {{"type", "Sequence"},
        {"normalizers",
         Json::array({{{"type", "Prepend"}, {"prepend", low_line}},
                      {{"type", "Replace"},
                       {"pattern", {{"String", " "}}},
                       {"content", low_line}}})}}},
      {"pre_tokenizer", nullptr},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single", Json::array({{{"SpecialToken", {{"id", "<s>"}}}},
                                {{"Sequence", {{"id", "A"}}}}})},
        {"special_tokens", {{"<s>", {{"ids", Json::array({1})}}}}}}},
      {"decoder",
       {{"type", "Sequence"},
        {"decoders", Json::array({{{"type", "Replace"},
                                   {"pattern", {{"String", low_line}}},
                                   {"content", " "}},
                                  {{"type", "ByteFallback"}},
                                  {{"type", "Fuse"}},
                                  {{"type", "Strip"},
                                   {"content", " "},
                                   {"start", 1},
                                   {"stop", 0}}})}}},
      {"model",
       {{"byte_fallback", true},
        {"vocab", vocabulary},
        {"merges", Json::array()}}}};
  add_merges(document, merges);
  return document;
}

}  // namespace tandem::testing_support
