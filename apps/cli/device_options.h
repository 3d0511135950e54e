// The options that choose a device.
#pragma once

#include <tandem/execution/context.h>

#include <CLI/App.hpp>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace tandem::cli {

struct DeviceOptions {
  std::string device = "cpu";
  std::size_t ordinal = 0;
  std::string library_directories;
  MatmulPrecision precision = MatmulPrecision::F64;
  std::optional<AttentionTiles> tiles;

  void add_options(CLI::App& app);
  /// Those that choose the manner of execution: precision and attention tiles.
  void add_manner_options(CLI::App& app);

  /// Opens the device. Throws UsageError where an option cannot take effect,
  /// ExecutionError where there is no such device.
  ExecutionContext open() const;

  /// What open()'s results are judged against: the CPU in the same precision,
  /// with dense attention.
  ExecutionContext reference() const;

  /// What open() gave: device, precision and, on CUDA, the device's name and
  /// the libraries that were taken.
  nlohmann::ordered_json facts(const ExecutionContext& execution) const;

 private:
  CudaOptions cuda_options() const;
  ExecutionContext open_device() const;

  CLI::Option* ordinal_option_ = nullptr;
  CLI::Option* library_option_ = nullptr;
};

}  // namespace tandem::cli
