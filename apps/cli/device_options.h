// The options that choose a device.
#pragma once

#include <tandem/execution/context.h>

#include <CLI/App.hpp>
#include <cstddef>
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

 private:
  CLI::Option* ordinal_option_ = nullptr;
  CLI::Option* library_option_ = nullptr;
};

}  // namespace tandem::cli
