// What the operating system says of this process's memory, and whether that
// means anything in this build.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace tandem::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
constexpr bool is_sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif

/// Why a test of resident_bytes() skips where is_sanitized.
constexpr const char* sanitizers_keep_memory = "sanitizers keep freed memory";

/// The process's pages that lie in memory.
inline std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace tandem::test
