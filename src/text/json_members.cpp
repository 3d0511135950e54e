#include <tandem/tensor/error.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "text/tokenizer_options.h"

namespace tandem::text {
namespace {

using Json = nlohmann::json;

[[noreturn]] void reject(const char* key, std::string_view where,
                         const char* what) {
  throw FileError("tokenizer: malformed: '" + std::string(key) + "' of " +
                  std::string(where) + " is not " + what);
}

}  // namespace

const Json* find_member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& member(const Json& object, const char* key,
                   std::string_view where) {
  const Json* const found = find_member(object, key);
  if (found == nullptr) reject(key, where, "there");
  return *found;
}

const Json& list_member(const Json& object, const char* key,
                        std::string_view where) {
  const Json& value = member(object, key, where);
  if (!value.is_array()) reject(key, where, "a list");
  return value;
}

std::string string_member(const Json& object, const char* key,
                          std::string_view where) {
  const Json& value = member(object, key, where);
  if (!value.is_string()) reject(key, where, "a string");
  return value.get<std::string>();
}

std::size_t count_member(const Json& object, const char* key,
                         std::string_view where) {
  const Json& value = member(object, key, where);
  if (!value.is_number_unsigned()) reject(key, where, "a whole number");
  return value.get<std::size_t>();
}

bool flag_member(const Json& object, const char* key, bool otherwise,
                 std::string_view where) {
  const Json* const value = find_member(object, key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) reject(key, where, "true or false");
  return value->get<bool>();
}

void reject_unsupported(const std::string& what) {
  throw TokenizerError("tokenizer: unsupported " + what);
}

}  // namespace tandem::text
