// Any bytes as text: an Error where they are not UTF-8; otherwise the same
// text comes back, at once and streamed.
#include <tandem/tensor/error.h>
#include <tandem/text/tokenizer.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "text/small_tokenizers.h"

namespace {

using tandem::SpecialTokens;
using tandem::Tokenizer;
namespace documents = tandem::testing_support;

const documents::PairsOfSpellings merges{
    {"t", "h"}, {"th", "e"}, {"a", "a"}, {"aa", "a"}, {"e", "r"}, {"th", "er"}};

std::string streamed(const Tokenizer& tokenizer,
                     const std::vector<tandem::TokenId>& tokens) {
  tandem::TextStream stream(tokenizer, SpecialTokens::show);
  std::string text;
  for (const tandem::TokenId token : tokens) text += stream.push(token);
  return text + stream.finish();
}

void try_text(const Tokenizer& tokenizer, const std::string& text,
              bool is_exact) {
  const auto tokens = tokenizer.encode(text);
  const std::string decoded = tokenizer.decode(tokens, SpecialTokens::show);
  if (is_exact && decoded != text) std::abort();
  if (streamed(tokenizer, tokens) != decoded) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const Tokenizer byte_level = Tokenizer::from_json(
      documents::byte_level_document(merges).dump(), "byte level");
  static const Tokenizer fallback = Tokenizer::from_json(
      documents::fallback_document(merges).dump(), "fallback");
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    try_text(byte_level, text, true);
    try_text(fallback, text, false);  // a low line comes back as a space
  } catch (const tandem::Error&) {    // not UTF-8
  }
  return 0;
}
