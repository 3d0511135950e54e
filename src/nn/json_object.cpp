#include "nn/json_object.h"

#include <tandem/tensor/error.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace tandem::nn {

using Json = nlohmann::json;

JsonObject::JsonObject(const Json& object, std::string where,
                       const std::string& source)
    : object_(object), where_(std::move(where)), source_(source) {
  if (object.is_object()) return;
  throw FileError("config: malformed: " +
                  (where_.empty()
                       ? std::string("the document")
                       : "'" + where_.substr(0, where_.size() - 1) + "'") +
                  " is not an object, in " + source_);
}

const Json* JsonObject::find(const char* key) const {
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::size_t JsonObject::count(const char* key) const {
  if (find(key) == nullptr) reject(key, "is not there");
  return count(key, 0);
}

std::size_t JsonObject::count(const char* key, std::size_t otherwise) const {
  const Json* const value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_number_unsigned()) reject(key, "is not a whole number");
  return value->get<std::size_t>();
}

std::optional<double> JsonObject::number(const char* key) const {
  const Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) reject(key, "is not a number");
  return value->get<double>();
}

std::optional<std::string> JsonObject::text(const char* key) const {
  const Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) reject(key, "is not a string");
  return value->get<std::string>();
}

bool JsonObject::flag(const char* key, bool otherwise) const {
  const Json* const value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) reject(key, "is not true or false");
  return value->get<bool>();
}

std::optional<JsonObject> JsonObject::object(const char* key) const {
  const Json* const value = find(key);
  if (value == nullptr) return std::nullopt;
  return JsonObject(*value, where_ + key + ".", source_);
}

void JsonObject::reject(const char* key, const std::string& why) const {
  throw FileError("config: malformed: '" + where_ + key + "' " + why + ", in " +
                  source_);
}

void JsonObject::refuse(const char* key) const {
  throw ModelError("config: unsupported: '" + where_ + key + "' is " +
                   find(key)->dump() + ", in " + source_);
}

}  // namespace tandem::nn
