// The options that choose a device.
#pragma once

#include <tandem/execution/context.h>

#include <CLI/App.hpp>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tandem::cli {

struct DeviceOptions {
  std::string device = "cpu";
  std::size_t ordinal = 0;
  std::string library_directories;

  void add_options(CLI::App& app);

  /// Opens the device. Throws UsageError where an option cannot take effect,
  /// ExecutionError where there is no such device.
  ExecutionContext open() const;

  /// What open() gave: device, precision and, on CUDA, the device's name and
  /// the libraries that were taken.
  nlohmann::ordered_json facts(const ExecutionContext& execution) const;

 private:
  CudaOptions cuda_options() const;

  CLI::Option* ordinal_option_ = nullptr;
  CLI::Option* library_option_ = nullptr;
};

}  // namespace tandem::cli
