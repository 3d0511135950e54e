// ExecutionStats: the native work a context really completed.
#pragma once

#include <cstddef>

namespace tandem {

/// Counts completed work only; each saturates at the largest size. All zero on
/// the CPU. They are neither timings nor bus traffic.
struct ExecutionStats {
  std::size_t gemm_requests = 0;
  std::size_t host_to_device_bytes = 0;
  std::size_t device_to_host_bytes = 0;

  friend bool operator==(const ExecutionStats&,
                         const ExecutionStats&) = default;
};

}  // namespace tandem
