#include "text/strict_json.h"

#include <tandem/tensor/error.h>

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

namespace tandem::text {
namespace {

using Json = nlohmann::json;

constexpr int deepest = 64;

// Watches the parser's events; it knows the keys of every open object.
class Strictness {
 public:
  Strictness(const std::string& operation, const std::string& source)
      : operation_(operation), source_(source) {}

  void see(int depth, Json::parse_event_t event, const Json& value) {
    if (depth > deepest) {
      reject("nested too deeply: more than " + std::to_string(deepest) +
             " levels");
    }
    if (event == Json::parse_event_t::object_start) {
      open_objects_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open_objects_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!open_objects_.back().insert(key).second) {
        reject("duplicate key: '" + key + "'");
      }
    }
  }

  [[noreturn]] void reject(const std::string& fault) const {
    throw FileError(operation_ + ": " + fault + ", in " + source_);
  }

 private:
  const std::string& operation_;
  const std::string& source_;
  std::vector<std::unordered_set<std::string>> open_objects_;
};

}  // namespace

nlohmann::json parse_strict_json(std::string_view json,
                                 const std::string& operation,
                                 const std::string& source) {
  Strictness strictness(operation, source);
  // The parser takes it for the end, and would not look at what follows.
  if (const auto nul = json.find('\0'); nul != json.npos) {
    strictness.reject("not JSON: fault at byte " + std::to_string(nul + 1));
  }
  try {
    return Json::parse(json.begin(), json.end(),
                       [&](int depth, Json::parse_event_t event, Json& value) {
                         strictness.see(depth, event, value);
                         return true;
                       });
  } catch (const Json::parse_error& error) {
    strictness.reject("not JSON: fault at byte " + std::to_string(error.byte));
  } catch (const Json::exception&) {
    strictness.reject("not JSON: a number is out of range");
  }
}

}  // namespace tandem::text
