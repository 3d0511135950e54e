// A page: one self-contained HTML file that shows a document and holds it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tandem::cli {

/// `script` draws the data with the page kit. Whatever the data says, it cannot
/// leave the element that it stands in.
std::string make_page(const std::string& title, const std::string& script,
                      const nlohmann::ordered_json& data);

}  // namespace tandem::cli
