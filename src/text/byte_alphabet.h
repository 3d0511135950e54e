// The byte alphabet: one printable character for each byte, in which GPT-2's
// vocabularies spell their tokens.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tandem::text {

class ByteAlphabet {
 public:
  /// Bytes that are printable in Latin-1 stand for themselves; the others take
  /// the characters from U+0100 on, in order.
  ByteAlphabet();

  /// The character of a byte, in UTF-8.
  const std::string& character(unsigned char byte) const {
    return characters_[byte];
  }

  /// The bytes that `token` spells; none when it has a foreign character.
  std::optional<std::string> bytes(std::string_view token) const;

 private:
  std::array<std::string, 256> characters_;
  std::unordered_map<std::string, char> byte_of_;
};

}  // namespace tandem::text
