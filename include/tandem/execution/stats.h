// ExecutionStats: the native work a context really completed.
#pragma once

#include <cstddef>

namespace tandem {

/// Counts completed products only; each saturates at the largest size. All zero
/// on the CPU. Neither timings nor bus traffic: a search for NaN is no product.
struct ExecutionStats {
  std::size_t gemm_requests = 0;
  std::size_t host_to_device_bytes = 0;
  std::size_t device_to_host_bytes = 0;

  friend bool operator==(const ExecutionStats&,
                         const ExecutionStats&) = default;
};

}  // namespace tandem
