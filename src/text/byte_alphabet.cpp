#include "text/byte_alphabet.h"

#include "text/utf8.h"

namespace tandem::text {
namespace {

bool stands_for_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) ||
         byte >= 0xae;
}

// The code points in use end below U+0800: two bytes are enough.
std::string utf8(unsigned code_point) {
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  return {static_cast<char>(0xc0 | code_point >> 6),
          static_cast<char>(0x80 | (code_point & 0x3f))};
}

}  // namespace

ByteAlphabet::ByteAlphabet() {
  unsigned next = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    characters_[byte] = utf8(stands_for_itself(byte) ? byte : next++);
    byte_of_[characters_[byte]] = static_cast<char>(byte);
  }
}

std::optional<std::string> ByteAlphabet::bytes(std::string_view token) const {
  std::string bytes;
  while (!token.empty()) {
    const std::size_t length = utf8_character_length(token);
    const auto found = byte_of_.find(std::string(token.substr(0, length)));
    if (length == 0 || found == byte_of_.end()) return std::nullopt;
    bytes.push_back(found->second);
    token.remove_prefix(length);
  }
  return bytes;
}

}  // namespace tandem::text
