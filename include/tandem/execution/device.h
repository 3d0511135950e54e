// Device: where a context runs its products and reductions.
#pragma once

#include <tandem/export.h>

#include <cstddef>
#include <string>

namespace tandem {

enum class DeviceKind { cpu, cuda };

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  std::size_t ordinal = 0;  ///< of a CUDA device; 0 on the CPU

  friend bool operator==(const Device&, const Device&) = default;
};

/// `cpu` or `cuda:0`
TANDEM_API std::string to_string(const Device& device);

}  // namespace tandem
