#include "text/text_assembler.h"

#include <string_view>
#include <utility>

#include "text/utf8.h"

namespace tandem::text {
namespace {

constexpr const char* replacement = "\xef\xbf\xbd";

}  // namespace

std::string TextAssembler::push(const DecodedPiece& piece) {
  std::string text;
  if (piece.is_fallback != pending_is_fallback_) text = take_rest();
  pending_is_fallback_ = piece.is_fallback;
  pending_ += piece.bytes;
  if (!pending_is_fallback_ || runs_ == Runs::streaming) text += take_certain();
  return stripped(std::move(text));
}

std::string TextAssembler::finish() { return stripped(take_rest()); }

std::string TextAssembler::take_certain() {
  std::string text;
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const std::size_t valid = utf8_valid_length(rest);
    text += rest.substr(0, valid);
    rest.remove_prefix(valid);
    if (utf8_may_continue(rest)) break;
    text += replacement;
    rest.remove_prefix(pending_is_fallback_ ? 1 : utf8_agreeing_length(rest));
  }
  pending_.erase(0, pending_.size() - rest.size());
  return text;
}

std::string TextAssembler::take_rest() {
  std::string rest = std::exchange(pending_, {});
  if (utf8_valid_length(rest) == rest.size()) return rest;
  // Of other pieces only the beginning of one character can be left.
  const std::size_t count = pending_is_fallback_ ? rest.size() : 1;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += replacement;
  return text;
}

std::string TextAssembler::stripped(std::string text) {
  std::size_t spaces = 0;
  while (spaces < strip_spaces_ && spaces < text.size() &&
         text[spaces] == ' ') {
    ++spaces;
  }
  strip_spaces_ -= spaces;
  if (spaces < text.size()) strip_spaces_ = 0;
  text.erase(0, spaces);
  return text;
}

}  // namespace tandem::text
