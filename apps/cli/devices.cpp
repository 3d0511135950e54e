// tandem devices: what of CUDA is there, and what to do about what is not.
#include <tandem/execution/devices.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <thread>

#include "command.h"
#include "device_table.h"
#include "json.h"

namespace tandem::cli {
namespace {

struct DevicesOptions {
  CudaOptions cuda;
  bool json = false;
  Output output;
};

Json steps_json(const DeviceReport& report) {
  Json json = Json::array();
  for (const SearchStep& step : report.search) {
    json.push_back({{"path", step.path}, {"said", step.said}});
  }
  return json;
}

Json devices_json(const DeviceReport& report) {
  Json json = Json::array();
  for (const CudaDeviceReport& device : report.devices) {
    json.push_back({{"ordinal", device.ordinal},
                    {"name", device.name},
                    {"memory_bytes", device.memory_bytes},
                    {"compute_capability", device.compute_capability}});
  }
  return json;
}

Json problems_json(const DeviceReport& report) {
  Json json = Json::array();
  for (const CudaProblem& problem : report.problems) {
    json.push_back({{"message", problem.message}, {"advice", problem.advice}});
  }
  return json;
}

Json document(const DeviceReport& report) {
  return {{"schema", "tandem.devices/1"},
          {"build", build_facts()},
          {"cpu", {{"threads", std::thread::hardware_concurrency()}}},
          {"cuda",
           {{"usable", report.problems.empty()},
            {"directories", report.directories},
            {"search", steps_json(report)},
            {"libraries", libraries(report)},
            {"math", report.math},
            {"emulation_requested", report.emulation_requested},
            {"devices", devices_json(report)},
            {"problems", problems_json(report)}}}};
}

ExitCode run_devices(const DevicesOptions& options) {
  const DeviceReport report = probe_cuda(options.cuda);
  const bool table = !options.json && options.output.path.empty() &&
                     ::isatty(STDOUT_FILENO) == 1;
  if (table) {
    std::cout << device_table(report, std::thread::hardware_concurrency())
              << std::flush;
  } else {
    options.output.write(document(report));
  }
  return ExitCode::done;
}

}  // namespace

void add_devices(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "devices",
      "Say which devices there are, and what is missing where there is none");
  const auto options = std::make_shared<DevicesOptions>();
  command
      ->add_option("--cuda-library-dir", options->cuda.library_directories,
                   "Look for CUDA's libraries in these folders, separated by "
                   "colons, and nowhere else")
      ->type_name("DIRS");
  command->add_flag("--json", options->json,
                    "Print the document on a terminal too, not the table");
  options->output.add_options(*command);
  command->callback([options, &chosen] {
    chosen = [options] { return run_devices(*options); };
  });
}

}  // namespace tandem::cli
