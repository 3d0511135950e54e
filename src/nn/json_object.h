// JsonObject: the members of one object of a config.json, with every fault
// named.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace tandem::nn {

/// A null member counts as absent. Each reader throws FileError where the
/// member is of another type; what keeps the object must outlive this.
class JsonObject {
 public:
  /// `where` is empty for the document itself, else `name.` of the member that
  /// the object is. Throws FileError unless it is an object.
  JsonObject(const nlohmann::json& object, std::string where,
             const std::string& source);

  const nlohmann::json* find(const char* key) const;
  std::size_t count(const char* key) const;  ///< must be there
  std::size_t count(const char* key, std::size_t otherwise) const;
  std::optional<double> number(const char* key) const;
  std::optional<std::string> text(const char* key) const;
  bool flag(const char* key, bool otherwise) const;
  std::optional<JsonObject> object(const char* key) const;

  /// FileError: malformed.
  [[noreturn]] void reject(const char* key, const std::string& why) const;
  /// ModelError: unsupported, with the value that the member has.
  [[noreturn]] void refuse(const char* key) const;

 private:
  const nlohmann::json& object_;
  std::string where_;
  const std::string& source_;
};

}  // namespace tandem::nn
