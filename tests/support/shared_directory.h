// The directory of shared golden files and cases, which is not part of this
// repository.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tandem::test {

/// TANDEM_SHARED_DIR, by default `../shared` beside the sources.
std::filesystem::path shared_directory();

/// True where TANDEM_REQUIRE_SHARED=1: what is missing is then a failure.
bool shared_is_required();

/// Why there is no `file` in the shared directory; nothing where it is there.
std::optional<std::string> missing_from_shared(const std::string& file);

/// The files of `folder` whose names start and end so, sorted. Tests read every
/// file of a kind, never a list of names.
std::vector<std::filesystem::path> shared_files(const std::string& folder,
                                                const std::string& prefix,
                                                const std::string& suffix);

/// The files at any depth below `folder` whose names end so, sorted.
std::vector<std::filesystem::path> shared_files_below(
    const std::string& folder, const std::string& suffix);

}  // namespace tandem::test

/// Ends a test whose `file` (or folder) of the shared directory is missing:
/// skipped with the reason, or failed where it is required.
#define TANDEM_NEED_SHARED(file)                                        \
  if (const auto missing = ::tandem::test::missing_from_shared(file)) { \
    if (::tandem::test::shared_is_required()) FAIL() << *missing;       \
    GTEST_SKIP() << *missing;                                           \
  }
