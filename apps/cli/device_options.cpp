#include "device_options.h"

#include <tandem/execution/devices.h>

#include <CLI/Error.hpp>
#include <CLI/Validators.hpp>
#include <charconv>
#include <map>

#include "command.h"
#include "json.h"
#include "number_options.h"

namespace tandem::cli {
namespace {

// `16x32`: both whole and positive.
AttentionTiles parse_tiles(const std::string& text) {
  AttentionTiles tiles;
  const char* const end = text.data() + text.size();
  const auto rows = std::from_chars(text.data(), end, tiles.query_rows);
  const bool goes_on =
      rows.ec == std::errc() && rows.ptr != end && *rows.ptr == 'x';
  const auto keys =
      std::from_chars(goes_on ? rows.ptr + 1 : end, end, tiles.key_rows);
  if (!goes_on || keys.ec != std::errc() || keys.ptr != end ||
      tiles.query_rows == 0 || tiles.key_rows == 0) {
    throw CLI::ValidationError(
        "--attention-tiles",
        "must be two positive whole numbers, QxK: " + text);
  }
  return tiles;
}

}  // namespace

void DeviceOptions::add_options(CLI::App& app) {
  app.add_option("--device", device, "Where products and reductions run")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  ordinal_option_ =
      add_whole_number(app, "--ordinal", ordinal, "Which CUDA device; from 0");
  library_option_ =
      app.add_option("--cuda-library-dir", library_directories,
                     "Take CUDA's libraries from these folders, separated by "
                     "colons, and from nowhere else")
          ->type_name("DIRS");
}

void DeviceOptions::add_manner_options(CLI::App& app) {
  const std::map<std::string, MatmulPrecision> precisions{
      {"F64", MatmulPrecision::F64},
      {"F16F32", MatmulPrecision::F16F32},
      {"Bf16F32", MatmulPrecision::Bf16F32}};
  app.add_option("--precision", precision,
                 "How products round: F64, F16F32 or Bf16F32")
      ->transform(CLI::Transformer(precisions).description(""))
      ->type_name("P")
      ->default_str("F64");
  app.add_option_function<std::string>(
         "--attention-tiles",
         [this](const std::string& text) { tiles = parse_tiles(text); },
         "Work on attention in tiles of so many queries and keys")
      ->type_name("QxK");
}

ExecutionContext DeviceOptions::open() const {
  const ExecutionContext execution = open_device();
  return tiles ? execution.with_tiled_attention(*tiles) : execution;
}

ExecutionContext DeviceOptions::reference() const {
  return ExecutionContext::cpu_with_precision(precision);
}

ExecutionContext DeviceOptions::open_device() const {
  if (device == "cuda") {
    return ExecutionContext::cuda_with_precision(ordinal, precision,
                                                 cuda_options());
  }
  for (const CLI::Option* option : {ordinal_option_, library_option_}) {
    if (option->count() > 0) {
      throw UsageError(option->get_name() +
                       ": has no effect without --device cuda");
    }
  }
  return ExecutionContext::cpu_with_precision(precision);
}

Json DeviceOptions::facts(const ExecutionContext& execution) const {
  Json json = execution_facts(execution);
  if (execution.device().kind == DeviceKind::cpu) return json;
  const DeviceReport report = probe_cuda(cuda_options());
  json["name"] = report.devices.at(ordinal).name;
  json["math"] = report.math;
  json["libraries"] = libraries(report);
  return json;
}

CudaOptions DeviceOptions::cuda_options() const {
  CudaOptions options;
  options.library_directories = library_directories;
  return options;
}

}  // namespace tandem::cli
