#include "trace_operand.h"

#include <tandem/tensor/error.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "command.h"

namespace tandem::cli {
namespace {

using PlainJson = nlohmann::json;

// More axes than anybody can look at.
constexpr std::size_t largest_rank = 8;

struct NestedLists {
  std::vector<std::size_t> shape;
  std::vector<double> values;

  // Every list at one depth has the length of the first one there.
  void add(const PlainJson& json, std::size_t depth) {
    if (!json.is_array()) {
      if (depth != shape.size()) throw Error("lists are not all as deep");
      if (!json.is_number()) throw Error("a value is not a number");
      values.push_back(json.get<double>());
      return;
    }
    if (depth == largest_rank) throw Error("more than 8 axes");
    if (depth == shape.size() && values.empty()) shape.push_back(json.size());
    if (depth >= shape.size() || shape[depth] != json.size()) {
      throw Error("lists of one depth differ in length");
    }
    for (const PlainJson& item : json) add(item, depth + 1);
  }
};

Tensor tensor_of_lists(const PlainJson& json) {
  NestedLists lists;
  lists.add(json, 0);
  return Tensor(Shape(lists.shape), lists.values);
}

Tensor base_of(const PlainJson& json) {
  if (!json.is_object()) return tensor_of_lists(json);
  return Tensor(Shape(json.at("shape").get<std::vector<std::size_t>>()),
                json.at("values").get<std::vector<double>>());
}

TraceOperand operand_of(const PlainJson& json, const std::string& role) {
  const Tensor base = base_of(json);
  TraceOperand operand{role, base, base.view()};
  if (!json.is_object()) return operand;
  operand.name = json.value("name", role);
  if (json.contains("permute")) {
    operand.view = operand.view.permute(
        json.at("permute").get<std::vector<std::size_t>>());
  }
  for (const PlainJson& axis : json.value("reverse", PlainJson::array())) {
    operand.view = operand.view.reverse(axis.get<std::size_t>());
  }
  return operand;
}

std::optional<std::string> content_of_file(const std::string& name) {
  std::ifstream stream(name, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

// Throws Reason, whatever was wrong.
template <typename Reason>
TraceOperand parse(const std::string& text, const std::string& role,
                   const std::string& source) {
  try {
    return operand_of(PlainJson::parse(text), role);
  } catch (const PlainJson::exception& error) {
    throw Reason("--" + role + ": not an operand: " + error.what() + ", in " +
                 source);
  } catch (const Error& error) {
    throw Reason("--" + role + ": not an operand: " + error.what() + ", in " +
                 source);
  }
}

}  // namespace

TraceOperand read_operand(const std::string& given, const std::string& role) {
  const bool is_json = given.find_first_of("[{") == 0;
  if (is_json) return parse<UsageError>(given, role, "the argument");
  const auto content = content_of_file(given);
  if (!content) throw FileError("--" + role + ": cannot be read: " + given);
  return parse<FileError>(*content, role, given);
}

}  // namespace tandem::cli
