// Material that lives outside the sources: TANDEM_SHARED_DIR says where. A test
// that needs it skips where it is absent, unless TANDEM_REQUIRE_SHARED=1.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tandem::testing_support {

inline std::filesystem::path shared_folder() {
  const char* set = std::getenv("TANDEM_SHARED_DIR");
  if (set != nullptr) return set;
  return std::filesystem::path(TANDEM_SOURCE_DIR) / ".." / "shared";
}

inline bool shared_is_required() {
  const char* required = std::getenv("TANDEM_REQUIRE_SHARED");
  return required != nullptr && std::string(required) == "1";
}

/// Every file at any depth below FOLDER whose name ends so, sorted.
inline std::vector<std::filesystem::path> shared_files_ending(
    const std::string& folder, const std::string& ending) {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path root = shared_folder() / folder;
  if (!std::filesystem::is_directory(root)) return found;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tandem::testing_support

/// Leaves the test where `needed` is not there: as skipped, or as failed where
/// the material is required.
#define TANDEM_NEED_SHARED(needed)                           \
  do {                                                       \
    const std::filesystem::path absent = (needed);           \
    if (std::filesystem::exists(absent)) break;              \
    if (::tandem::testing_support::shared_is_required()) {   \
      FAIL() << "required, but absent: " << absent;          \
    }                                                        \
    GTEST_SKIP() << "absent: " << absent                     \
                 << " (TANDEM_SHARED_DIR says where it is)"; \
  } while (false)
