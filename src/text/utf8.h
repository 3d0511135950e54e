// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace tandem::text {

/// The length of the well-formed character at the start of `bytes`; 0 when
/// there is none, be it malformed, cut off or empty.
std::size_t utf8_character_length(std::string_view bytes);

/// The number of bytes at the start of `bytes`, which is not empty, that agree
/// with the form of the first: what one replacement character stands for where
/// they are no character.
std::size_t utf8_agreeing_length(std::string_view bytes);

/// The number of leading bytes that are well-formed: bytes.size() when all
/// are.
std::size_t utf8_valid_length(std::string_view bytes);

/// Whether `bytes`, which do not begin with a whole character, may still become
/// one when more bytes follow.
bool utf8_may_continue(std::string_view bytes);

/// Throws TokenizerError, in the name of `operation`, unless `bytes` are UTF-8.
void require_utf8(std::string_view bytes, const char* operation);

}  // namespace tandem::text
