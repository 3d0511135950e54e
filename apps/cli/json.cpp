#include "json.h"

#include <tandem/version.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace tandem::cli {
namespace {

Json element(const compare::ElementDifference& worst) {
  return {{"index", worst.index},
          {"coordinates", worst.coordinates},
          {"expected", number(worst.expected)},
          {"actual", number(worst.actual)},
          {"absolute_difference", number(worst.absolute)},
          {"relative_difference", number(worst.relative)},
          {"ulps", worst.ulps},
          {"ratio_to_allowance", number(worst.ratio)}};
}

Json tensor_comparison(const compare::TensorComparison& tensor) {
  Json json{
      {"name", tensor.name},
      {"finding", to_string(tensor.finding)},
      {"shape", shape(tensor.expected_shape)},
      {"count", tensor.count},
      {"mismatches", tensor.mismatches},
      {"nonfinite", tensor.nonfinite},
      {"passing_relative_tolerance", number(tensor.passing_relative_tolerance)},
      {"scaled_error", number(tensor.scaled_error)}};
  if (!(tensor.actual_shape == tensor.expected_shape)) {
    json["actual_shape"] = shape(tensor.actual_shape);
  }
  json["worst"] = tensor.worst ? element(*tensor.worst) : Json(nullptr);
  return json;
}

Json divergence(const Divergence& found) {
  return {{"operation", found.operation},  {"scope", found.scope},
          {"pass", to_string(found.pass)}, {"shape", shape(found.shape)},
          {"index", found.index},          {"expected", number(found.expected)},
          {"actual", number(found.actual)}};
}

// Names of files may hold any bytes.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_plain_list(const Json& json) {
  return json.is_array() &&
         std::none_of(json.begin(), json.end(),
                      [](const Json& item) { return item.is_structured(); });
}

void print(const Json& json, const std::string& indent, std::string& text) {
  if (!json.is_structured() || json.empty() || is_plain_list(json)) {
    text += dump(json);
    return;
  }
  const std::string inner = indent + "  ";
  text += json.is_array() ? '[' : '{';
  const char* separator = "\n";
  for (const auto& [key, value] : json.items()) {
    text += separator + inner;
    if (json.is_object()) text += dump(key) + ": ";
    print(value, inner, text);
    separator = ",\n";
  }
  text += '\n' + indent + (json.is_array() ? ']' : '}');
}

const char* compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

std::string pretty(const Json& document) {
  std::string text;
  print(document, "", text);
  return text + '\n';
}

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::string bits(double value) {
  char text[17];
  std::snprintf(
      text, sizeof text, "%016llx",
      static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(value)));
  return text;
}

Json shape(const Shape& shape) {
  Json json = Json::array();
  for (const std::size_t extent : shape) json.push_back(extent);
  return json;
}

Json tensor(const Tensor& tensor) {
  Json values = Json::array();
  for (const double value : tensor.values()) values.push_back(number(value));
  return {{"shape", shape(tensor.shape())}, {"values", std::move(values)}};
}

Json tensor_with_bits(const Tensor& source) {
  Json json = tensor(source);
  json["bits"] = Json::array();
  for (const double value : source.values()) {
    json["bits"].push_back(bits(value));
  }
  return json;
}

Json config(const nn::DecoderConfig& config) {
  const nn::DecoderConfig whole = config.checked();
  return {{"vocabulary", whole.vocabulary},
          {"width", whole.width},
          {"heads", whole.heads},
          {"key_value_heads", whole.key_value_heads},
          {"head_width", whole.head_width},
          {"feed_forward_width", whole.feed_forward_width},
          {"blocks", whole.blocks},
          {"position_capacity", whole.position_capacity},
          {"rope_base", number(whole.rope_base)},
          {"rms_epsilon", number(whole.rms_epsilon)},
          {"tied_head", whole.tied_head}};
}

Json stats(const ExecutionStats& stats) {
  return {{"gemm_requests", stats.gemm_requests},
          {"host_to_device_bytes", stats.host_to_device_bytes},
          {"device_to_host_bytes", stats.device_to_host_bytes}};
}

Json comparison(const compare::Comparison& comparison) {
  Json tensors = Json::array();
  for (const auto& tensor : comparison.tensors) {
    tensors.push_back(tensor_comparison(tensor));
  }
  return {{"verdict", comparison.passed ? "passed" : "failed"},
          {"criterion",
           {{"absolute", number(comparison.criterion.absolute)},
            {"relative", number(comparison.criterion.relative)}}},
          {"count", comparison.count},
          {"mismatches", comparison.mismatches},
          {"tensors", std::move(tensors)}};
}

Json operation_check(const OperationCheck& check) {
  const auto found = check.first_divergence();
  return {{"operations", check.operations()},
          {"first_divergence", found ? divergence(*found) : Json(nullptr)}};
}

Json libraries(const DeviceReport& report) {
  Json json = Json::array();
  for (const auto& library : report.libraries) {
    json.push_back({{"name", library.name},
                    {"file", library.file},
                    {"version", library.version}});
  }
  return json;
}

Json build_facts() {
  return {{"version", version()},
          {"compiler", compiler()},
          {"build_type", TANDEM_BUILD_TYPE},
          {"cuda", TANDEM_BUILT_WITH_CUDA != 0}};
}

Json execution_facts(const ExecutionContext& execution) {
  Json json{{"device", to_string(execution.device())},
            {"matmul_precision", to_string(execution.matmul_precision())}};
  if (const auto& tiles = execution.attention_tiles()) {
    json["attention_tiles"] = {{"query_rows", tiles->query_rows},
                               {"key_rows", tiles->key_rows}};
  }
  return json;
}

}  // namespace tandem::cli
