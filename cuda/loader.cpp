#include "cuda/loader.h"

#include <tandem/tensor/error.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "cuda/checked.h"
#include "cuda/search.h"
#include "cuda/toolkit_candidate.h"

namespace tandem::cuda {
namespace {

std::string tried(const std::vector<Attempt>& attempts) {
  std::string text;
  for (const Attempt& attempt : attempts) {
    text += text.empty() ? "tried " : ", ";
    text += attempt.path + " (" + attempt.said + ")";
  }
  return text.empty() ? "nothing to try" : text;
}

SharedLibrary open_driver(const std::vector<std::string>& directories,
                          std::vector<Attempt>& attempts) {
  std::vector<std::string> names;
  for (const std::string& directory : directories) {
    const std::string path = directory + "/libcuda.so.1";
    if (access(path.c_str(), F_OK) == 0)
      names.push_back(path);
    else
      attempts.push_back({path, "no such file"});
  }
  names.push_back("libcuda.so.1");
  for (const std::string& name : names) {
    SharedLibrary library = SharedLibrary::open(name);
    attempts.push_back({name, library.is_open() ? "loaded" : library.error()});
    if (library.is_open()) return library;
  }
  throw ExecutionError(ExecutionStage::driver,
                       "cuda: no driver: " + tried(attempts));
}

[[noreturn]] void reject_driver(const SharedLibrary& library,
                                const std::string& why) {
  throw ExecutionError(ExecutionStage::driver,
                       "cuda: unusable driver: " + library.file() + ": " + why);
}

int majors_of(int version) { return version / 1000; }

// A whole set that the process holds already comes first, so that one process
// does not end up with two copies.
std::vector<ToolkitCandidate> candidates(
    const std::vector<std::string>& directories) {
  std::vector<ToolkitCandidate> list;
  if (directories.empty()) {
    for (const int major : supported_majors)
      list.push_back({sonames(major), ToolkitSource::already_loaded});
    for (const int major : supported_majors)
      list.push_back({sonames(major), ToolkitSource::system_loader});
  }
  const auto searched =
      directories.empty() ? toolkit_directories() : directories;
  if (searched.empty()) return list;
  for (const Place& place : places_in(searched))
    list.push_back({place, ToolkitSource::directory});
  return list;
}

void note_outdated(const std::vector<std::string>& directories,
                   std::vector<Attempt>& attempts) {
  for (const std::string& directory : directories) {
    for (const std::string& path : outdated_libraries(directory))
      attempts.push_back(
          {path, "CUDA 11 is not supported, 12 or 13 is needed"});
  }
}

// Immortal: a table that was handed out is never taken back.
template <typename Table>
const Table& keep(Table table) {
  static auto& tables = *new std::deque<Table>;
  static auto& mutex = *new std::mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  return tables.emplace_back(std::move(table));
}

struct Loaded {
  std::mutex mutex;
  std::map<std::vector<std::string>, Api> found;
};

Loaded& loaded() {
  static Loaded& instance = *new Loaded;
  return instance;
}

}  // namespace

std::vector<std::string> chosen_directories(const LoadOptions& options) {
  if (!options.library_directories.empty())
    return split_directories(options.library_directories);
  const char* named = std::getenv("TANDEM_CUDA_LIBRARY_DIR");
  return split_directories(named != nullptr ? named : "");
}

const DriverApi& load_driver(const std::vector<std::string>& directories,
                             std::vector<Attempt>& attempts) {
  const SharedLibrary library = open_driver(directories, attempts);
  DriverApi api;
  const std::string missing = bind(library, api.call);
  if (!missing.empty()) reject_driver(library, "no symbol " + missing);
  api.library.file = library.file();
  check(api.call.driver_version(&api.library.version), ExecutionStage::driver,
        "cuDriverGetVersion");
  if (majors_of(api.library.version) < 12) {
    reject_driver(library, "it supports CUDA " +
                               version_text(api.library.version) +
                               ", 12 or 13 is needed");
  }
  return keep(std::move(api));
}

const ToolkitApi& load_toolkit(const std::vector<std::string>& directories,
                               int driver_version,
                               std::vector<Attempt>& attempts) {
  for (const ToolkitCandidate& candidate : candidates(directories)) {
    std::optional<ToolkitApi> api =
        open_toolkit(candidate, majors_of(driver_version), attempts);
    if (api) return keep(std::move(*api));
  }
  note_outdated(directories.empty() ? toolkit_directories() : directories,
                attempts);
  throw ExecutionError(ExecutionStage::library,
                       "cuda: no usable toolkit libraries: the driver supports "
                       "CUDA " +
                           version_text(driver_version) + "; " +
                           tried(attempts));
}

Api load(const LoadOptions& options) {
  const auto directories = chosen_directories(options);
  const std::lock_guard<std::mutex> lock(loaded().mutex);
  const auto known = loaded().found.find(directories);
  if (known != loaded().found.end()) return known->second;
  std::vector<Attempt> driver_attempts;
  std::vector<Attempt> attempts;
  Api api;
  api.driver = &load_driver(directories, driver_attempts);
  api.toolkit =
      &load_toolkit(directories, api.driver->library.version, attempts);
  loaded().found.emplace(directories, api);
  return api;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

std::string blas_version_text(int version) {
  return std::to_string(version / 10000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace tandem::cuda
