#include "support/json_tensors.h"

#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

namespace tandem::test {

nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return nlohmann::json::parse(file);
}

double to_double(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (!value.is_string()) return value.get<double>();
  const auto text = value.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("not a number: " + text);
}

std::vector<double> to_doubles(const nlohmann::json& values) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const auto& value : values) result.push_back(to_double(value));
  return result;
}

std::vector<std::size_t> to_sizes(const nlohmann::json& values) {
  return values.get<std::vector<std::size_t>>();
}

Tensor to_tensor(const nlohmann::json& tensor) {
  return Tensor(Shape(to_sizes(tensor.at("shape"))),
                to_doubles(tensor.at("data")));
}

}  // namespace tandem::test
