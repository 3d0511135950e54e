// Strict JSON: the parser behind every file of a model. A key that stands twice
// is an error here, where the parser itself would quietly keep the last.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tandem::text {

/// The document in `json`. Throws FileError `operation: reason: ..., in source`
/// where it is not JSON, nests deeper than 64, or repeats a key in one object.
nlohmann::json parse_strict_json(std::string_view json,
                                 const std::string& operation,
                                 const std::string& source);

}  // namespace tandem::text
