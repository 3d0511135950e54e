// Reads a tokenizer.json into the parts of a tokenizer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "text/tokenizer_parts.h"

namespace tandem::text {

/// Throws FileError where `json` is malformed, TokenizerError where it asks for
/// what is not supported; both name `source`.
std::shared_ptr<const TokenizerParts> read_tokenizer_json(
    std::string_view json, const std::string& source);

}  // namespace tandem::text
