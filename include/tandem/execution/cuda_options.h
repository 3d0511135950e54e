// CudaOptions: where CUDA's libraries are, and how much memory may be kept.
#pragma once

#include <cstddef>
#include <string>

namespace tandem {

struct CudaOptions {
  /// A colon-separated list of folders. Where it is not empty, libraries are
  /// taken from there and nowhere else. Empty: TANDEM_CUDA_LIBRARY_DIR, and
  /// without that the places the README lists.
  std::string library_directories;

  /// Device memory, and pinned host memory, that may be kept for reuse once
  /// nothing uses it, in bytes each.
  std::size_t pool_limit_bytes = std::size_t{4} << 30;
};

}  // namespace tandem
