#include "page.h"

#include <map>
#include <string_view>

#include "json.h"
#include "page_sources.h"

namespace tandem::cli {
namespace {

// Inside a script element only "<" can end it or open a comment. In JSON it
// stands in strings alone, where it may be written as an escape.
std::string embedded(const Json& data) {
  std::string text;
  for (const char c :
       data.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

// Replaces each @name@ of the template by its part, in one pass: what is put in
// is not looked at again.
std::string fill(std::string_view sheet,
                 const std::map<std::string_view, std::string>& parts) {
  std::string text;
  while (true) {
    const std::size_t begin = sheet.find('@');
    const std::size_t end =
        begin == sheet.npos ? begin : sheet.find('@', begin + 1);
    if (end == sheet.npos) return text.append(sheet);
    text += sheet.substr(0, begin);
    text += parts.at(sheet.substr(begin + 1, end - begin - 1));
    sheet.remove_prefix(end + 1);
  }
}

}  // namespace

std::string make_page(const std::string& title, const std::string& script,
                      const Json& data) {
  return fill(pages::page_html, {{"title", title},
                                 {"style", pages::kit_css},
                                 {"kit", pages::kit_js},
                                 {"script", script},
                                 {"data", embedded(data)}});
}

}  // namespace tandem::cli
