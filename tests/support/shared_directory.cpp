#include "support/shared_directory.h"

#include <algorithm>
#include <cstdlib>

namespace tandem::test {

namespace fs = std::filesystem;

fs::path shared_directory() {
  const char* given = std::getenv("TANDEM_SHARED_DIR");
  if (given != nullptr && *given != '\0') return given;
  return fs::path(TANDEM_SOURCE_DIRECTORY) / ".." / "shared";
}

bool shared_is_required() {
  const char* required = std::getenv("TANDEM_REQUIRE_SHARED");
  return required != nullptr && std::string(required) == "1";
}

std::optional<std::string> missing_from_shared(const std::string& file) {
  if (fs::exists(shared_directory() / file)) return std::nullopt;
  return "no " + file + " in " + shared_directory().string() +
         ": TANDEM_SHARED_DIR names the directory that holds it";
}

std::vector<fs::path> shared_files(const std::string& folder,
                                   const std::string& prefix,
                                   const std::string& suffix) {
  std::vector<fs::path> found;
  if (!fs::is_directory(shared_directory() / folder)) return found;
  for (const auto& entry :
       fs::directory_iterator(shared_directory() / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() >= prefix.size() + suffix.size() &&
        name.compare(0, prefix.size(), prefix) == 0 &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::filesystem::path> shared_files_below(
    const std::string& folder, const std::string& suffix) {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path root = shared_directory() / folder;
  if (!std::filesystem::is_directory(root)) return found;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().filename().string().ends_with(suffix)) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tandem::test
