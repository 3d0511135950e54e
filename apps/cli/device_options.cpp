#include "device_options.h"

#include <tandem/execution/devices.h>

#include "command.h"
#include "json.h"
#include "number_options.h"

namespace tandem::cli {

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

ExecutionContext DeviceOptions::open() const {
  if (device == "cuda") {
    return ExecutionContext::cuda(ordinal, cuda_options());
  }
  for (const CLI::Option* option : {ordinal_option_, library_option_}) {
    if (option->count() > 0) {
      throw UsageError(option->get_name() +
                       ": has no effect without --device cuda");
    }
  }
  return ExecutionContext::cpu();
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
