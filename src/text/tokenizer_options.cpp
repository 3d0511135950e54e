#include "text/tokenizer_options.h"

#include <tandem/tensor/error.h>

#include <nlohmann/json.hpp>

namespace tandem::text {
namespace {

using Json = nlohmann::json;

std::string type_of(const Json& component, const std::string& where) {
  return string_member(component, "type", where);
}

// The literal of {"String": ...}; patterns of another kind are refused.
std::string literal_pattern(const Json& component, const std::string& where) {
  const Json& pattern = member(component, "pattern", where);
  if (find_member(pattern, "String") == nullptr) {
    reject_unsupported(where + " by a pattern: " + pattern.dump());
  }
  const std::string literal = string_member(pattern, "String", where);
  if (literal.empty()) reject_unsupported(where + " of an empty string");
  return literal;
}

// As a regular expression that matches nothing but `literal`.
std::string quoted_for_pattern(const std::string& literal) {
  std::string expression;
  for (const char c : literal) {
    const bool is_sign = static_cast<unsigned char>(c) < 0x80 &&
                         std::string_view("\\^$.[]|()?*+{}#- ").find(c) !=
                             std::string_view::npos;
    if (is_sign) expression.push_back('\\');
    expression.push_back(c);
  }
  return expression;
}

void read_split(const Json& split, PreTokenizer& pre_tokenizer) {
  const std::string where = "pre_tokenizer Split";
  if (flag_member(split, "invert", false, where)) {
    reject_unsupported("option of Split: invert");
  }
  const std::string behavior = string_member(split, "behavior", where);
  if (behavior != "Isolated" && behavior != "Removed") {
    reject_unsupported("behavior of Split: " + behavior);
  }
  const Json& pattern = member(split, "pattern", where);
  const std::string expression =
      find_member(pattern, "Regex") != nullptr
          ? string_member(pattern, "Regex", where)
          : quoted_for_pattern(literal_pattern(split, where));
  pre_tokenizer.add_split(expression, behavior == "Removed"
                                          ? PreTokenizer::Matches::removed
                                          : PreTokenizer::Matches::isolated);
}

void read_byte_level(const Json& byte_level, PreTokenizer& pre_tokenizer) {
  const std::string where = "pre_tokenizer ByteLevel";
  if (flag_member(byte_level, "add_prefix_space", true, where)) {
    pre_tokenizer.add_prefix_space();
  }
  if (flag_member(byte_level, "use_regex", true, where)) {
    pre_tokenizer.add_split(gpt2_expression, PreTokenizer::Matches::isolated);
  }
}

Symbols read_stages(const Json& stages, PreTokenizer& pre_tokenizer) {
  Symbols symbols = Symbols::characters;
  for (const Json& stage : stages) {
    if (symbols == Symbols::bytes) {
      reject_unsupported("pre_tokenizer after ByteLevel: " +
                         type_of(stage, "pre_tokenizer"));
    }
    symbols = read_pre_tokenizer(&stage, pre_tokenizer);
  }
  return symbols;
}

// The frame is what the template puts around its sequence.
void read_template(const Json& component, Frame& frame) {
  const std::string where = "post_processor TemplateProcessing";
  const Json& specials = member(component, "special_tokens", where);
  std::size_t sequences = 0;
  for (const Json& item : list_member(component, "single", where)) {
    if (find_member(item, "Sequence") != nullptr) {
      ++sequences;
      continue;
    }
    const std::string name =
        string_member(member(item, "SpecialToken", where), "id", where);
    const Json& special = member(specials, name.c_str(), where);
    for (const Json& id : list_member(special, "ids", where)) {
      if (!id.is_number_unsigned()) {
        throw FileError("tokenizer: malformed: an id of " + where +
                        " is not a whole number");
      }
      (sequences == 0 ? frame.before : frame.after)
          .push_back(id.get<std::size_t>());
    }
  }
  if (sequences != 1) {
    reject_unsupported("template: it holds the text " +
                       std::to_string(sequences) + " times");
  }
}

void read_decoder_step(const Json& step, Decoding& decoding, bool& fused) {
  const std::string type = type_of(step, "decoder");
  const std::string where = "decoder " + type;
  if (fused && type == "Strip") {
    if (string_member(step, "content", where) != " " ||
        count_member(step, "stop", where) != 0) {
      reject_unsupported("decoder Strip of anything but leading spaces");
    }
    decoding.strip_spaces = count_member(step, "start", where);
  } else if (!fused && type == "Fuse") {
    fused = true;
  } else if (!fused && type == "ByteFallback") {
    decoding.byte_fallback = true;
  } else if (!fused && !decoding.byte_fallback && decoding.space.empty() &&
             type == "Replace") {
    decoding.space = literal_pattern(step, where);
    if (string_member(step, "content", where) != " ") {
      reject_unsupported("decoder Replace by anything but a space");
    }
  } else {
    reject_unsupported("decoder, or place of it: " + type);
  }
}

}  // namespace

void read_normalizer(const Json* component, Normalizer& normalizer) {
  if (component == nullptr) return;
  const std::string type = type_of(*component, "normalizer");
  const std::string where = "normalizer " + type;
  if (type == "Sequence") {
    for (const Json& step : list_member(*component, "normalizers", where)) {
      read_normalizer(&step, normalizer);
    }
  } else if (type == "Prepend") {
    normalizer.prepend(string_member(*component, "prepend", where));
  } else if (type == "Replace") {
    normalizer.replace(literal_pattern(*component, where),
                       string_member(*component, "content", where));
  } else {
    reject_unsupported(where);
  }
}

Symbols read_pre_tokenizer(const Json* component, PreTokenizer& pre_tokenizer) {
  if (component == nullptr) return Symbols::characters;
  const std::string type = type_of(*component, "pre_tokenizer");
  const std::string where = "pre_tokenizer " + type;
  if (type == "Sequence") {
    return read_stages(list_member(*component, "pretokenizers", where),
                       pre_tokenizer);
  }
  if (type == "ByteLevel") {
    read_byte_level(*component, pre_tokenizer);
    return Symbols::bytes;
  }
  if (type == "Digits") {
    const bool each =
        flag_member(*component, "individual_digits", false, where);
    pre_tokenizer.add_split(each ? "\\p{N}" : "\\p{N}+",
                            PreTokenizer::Matches::isolated);
  } else if (type == "Split") {
    read_split(*component, pre_tokenizer);
  } else {
    reject_unsupported(where);
  }
  return Symbols::characters;
}

void read_post_processor(const Json* component, Frame& frame) {
  if (component == nullptr) return;
  const std::string type = type_of(*component, "post_processor");
  const std::string where = "post_processor " + type;
  if (type == "Sequence") {
    for (const Json& step : list_member(*component, "processors", where)) {
      read_post_processor(&step, frame);
    }
  } else if (type == "TemplateProcessing") {
    if (!frame.before.empty() || !frame.after.empty()) {
      reject_unsupported("second template");
    }
    read_template(*component, frame);
  } else if (type != "ByteLevel") {  // which only concerns offsets
    reject_unsupported(where);
  }
}

Decoding read_decoder(const Json* component) {
  Decoding decoding;
  if (component == nullptr) reject_unsupported("decoder: none");
  const std::string type = type_of(*component, "decoder");
  if (type == "ByteLevel") {
    decoding.byte_alphabet = true;
    return decoding;
  }
  if (type != "Sequence") reject_unsupported("decoder " + type);
  bool fused = false;
  for (const Json& step :
       list_member(*component, "decoders", "decoder Sequence")) {
    read_decoder_step(step, decoding, fused);
  }
  return decoding;
}

}  // namespace tandem::text
