#include "text/utf8.h"

#include <tandem/tensor/error.h>

#include <cstdio>
#include <string>

namespace tandem::text {
namespace {

unsigned at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

struct Form {
  std::size_t length = 0;  // 0: no character begins with this byte
  unsigned second_low = 0x80;
  unsigned second_high = 0xbf;
};

// The second byte's range is what excludes overlong forms, surrogates and
// everything above U+10FFFF.
Form form_of(unsigned lead) {
  if (lead < 0x80) return {1};
  if (lead < 0xc2) return {};
  if (lead < 0xe0) return {2};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {};
}

// The number of leading bytes that agree with the form of the first one.
std::size_t agreeing(std::string_view bytes, const Form& form) {
  std::size_t i = 1;
  for (; i < form.length && i < bytes.size(); ++i) {
    const unsigned low = i == 1 ? form.second_low : 0x80;
    const unsigned high = i == 1 ? form.second_high : 0xbf;
    if (at(bytes, i) < low || at(bytes, i) > high) break;
  }
  return i;
}

}  // namespace

std::size_t utf8_character_length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const Form form = form_of(at(bytes, 0));
  if (form.length == 0) return 0;
  return agreeing(bytes, form) == form.length ? form.length : 0;
}

std::size_t utf8_agreeing_length(std::string_view bytes) {
  return agreeing(bytes, form_of(at(bytes, 0)));
}

std::size_t utf8_valid_length(std::string_view bytes) {
  std::size_t valid = 0;
  while (valid < bytes.size()) {
    const std::size_t length = utf8_character_length(bytes.substr(valid));
    if (length == 0) break;
    valid += length;
  }
  return valid;
}

bool utf8_may_continue(std::string_view bytes) {
  if (bytes.empty()) return true;
  const Form form = form_of(at(bytes, 0));
  return bytes.size() < form.length && agreeing(bytes, form) == bytes.size();
}

void require_utf8(std::string_view bytes, const char* operation) {
  const std::size_t valid = utf8_valid_length(bytes);
  if (valid == bytes.size()) return;
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", at(bytes, valid));
  throw TokenizerError(std::string(operation) + ": invalid UTF-8: byte " +
                       byte + " at offset " + std::to_string(valid));
}

}  // namespace tandem::text
