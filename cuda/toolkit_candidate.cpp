#include "cuda/toolkit_candidate.h"

#include <unistd.h>

#include "cuda/status_names.h"

namespace tandem::cuda {
namespace {

template <typename Function>
void bind_one(const SharedLibrary& library, const char* symbol,
              Function*& function, std::string& missing) {
  function = reinterpret_cast<Function*>(library.find(symbol));
  if (function == nullptr)
    missing += (missing.empty() ? "" : ", ") + std::string(symbol);
}

#define TANDEM_CUDA_BIND(member, symbol, ...) \
  bind_one(library, #symbol, table.member, missing);

std::string bind(const SharedLibrary& library, RuntimeTable& table) {
  std::string missing;
  TANDEM_CUDA_RUNTIME_SYMBOLS(TANDEM_CUDA_BIND)
  return missing;
}

std::string bind(const SharedLibrary& library, BlasLtTable& table) {
  std::string missing;
  TANDEM_CUDA_CUBLAS_LT_SYMBOLS(TANDEM_CUDA_BIND)
  return missing;
}

std::string bind(const SharedLibrary& library, BlasTable& table) {
  std::string missing;
  TANDEM_CUDA_CUBLAS_SYMBOLS(TANDEM_CUDA_BIND)
  return missing;
}

// Opens one library and fills its table; the attempt says what came of it.
template <typename Table>
std::optional<SharedLibrary> open_and_bind(const std::string& name,
                                           ToolkitSource source, Table& table,
                                           std::vector<Attempt>& attempts) {
  const SharedLibrary library = source == ToolkitSource::already_loaded
                                    ? SharedLibrary::already_loaded(name)
                                    : SharedLibrary::open(name);
  if (!library.is_open()) {
    attempts.push_back({name, library.error()});
    return std::nullopt;
  }
  const std::string missing = bind(library, table);
  attempts.push_back(
      {name, missing.empty() ? "loaded" : "no symbol " + missing});
  if (!missing.empty()) return std::nullopt;
  return library;
}

// A product library asks for its helper by soname, so the loader may hand it a
// helper that the process already holds from elsewhere.
bool helper_is_the_one_in_use(const Place& place,
                              const SharedLibrary& blas_lt) {
  return SharedLibrary::already_loaded(sonames(place.major).blas_lt) == blas_lt;
}

struct BlasVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  int number() const { return major * 10000 + minor * 100 + patch; }
};

// Empty when the versions that the libraries give themselves belong together.
std::string version_mismatch(const Place& place, ToolkitApi& api) {
  int runtime = 0;
  if (const auto status = api.runtime.runtime_version(&runtime);
      status != abi::RuntimeStatus::success)
    return "cudaRuntimeGetVersion: " + describe(status);
  BlasVersion blas;
  for (const auto& [property, value] :
       {std::pair{abi::LibraryProperty::major, &blas.major},
        std::pair{abi::LibraryProperty::minor, &blas.minor},
        std::pair{abi::LibraryProperty::patch, &blas.patch}}) {
    const auto status = api.blas.property(property, value);
    if (status != abi::BlasStatus::success)
      return "cublasGetProperty: " + describe(status);
  }
  api.runtime_library.version = runtime;
  api.blas_library.version = blas.number();
  api.blas_lt_library.version = static_cast<int>(api.blas_lt.version());
  if (runtime / 1000 != place.major)
    return "the runtime is of CUDA " + version_text(runtime);
  if (blas.major != place.major)
    return "cublas is version " + blas_version_text(blas.number());
  if (api.blas_lt_library.version != blas.number())
    return "cublas is version " + blas_version_text(blas.number()) +
           " but cublasLt is version " +
           blas_version_text(api.blas_lt_library.version);
  return "";
}

// A set with a hole is not opened at all: what is opened stays.
bool has_a_hole(const ToolkitCandidate& candidate,
                std::vector<Attempt>& attempts) {
  const Place& place = candidate.place;
  bool hole = false;
  for (const std::string& path : {place.runtime, place.blas_lt, place.blas}) {
    const bool here = candidate.source == ToolkitSource::already_loaded
                          ? SharedLibrary::already_loaded(path).is_open()
                          : access(path.c_str(), F_OK) == 0;
    if (here) continue;
    attempts.push_back({path, candidate.source == ToolkitSource::already_loaded
                                  ? "not already loaded"
                                  : "no such file"});
    hole = true;
  }
  return hole;
}

}  // namespace

std::string bind(const SharedLibrary& library, DriverTable& table) {
  std::string missing;
  TANDEM_CUDA_DRIVER_SYMBOLS(TANDEM_CUDA_BIND)
  return missing;
}

#undef TANDEM_CUDA_BIND

std::optional<ToolkitApi> open_toolkit(const ToolkitCandidate& candidate,
                                       int driver_major,
                                       std::vector<Attempt>& attempts) {
  const auto& [place, source] = candidate;
  if (place.major > driver_major) {
    attempts.push_back(
        {place.blas, "needs a driver of CUDA " + std::to_string(place.major)});
    return std::nullopt;
  }
  if (source != ToolkitSource::system_loader && has_a_hole(candidate, attempts))
    return std::nullopt;
  ToolkitApi api;
  const auto runtime =
      open_and_bind(place.runtime, source, api.runtime, attempts);
  if (!runtime) return std::nullopt;
  const auto blas_lt =
      open_and_bind(place.blas_lt, source, api.blas_lt, attempts);
  if (!blas_lt) return std::nullopt;
  const auto blas = open_and_bind(place.blas, source, api.blas, attempts);
  if (!blas) return std::nullopt;
  std::string mismatch = helper_is_the_one_in_use(place, *blas_lt)
                             ? version_mismatch(place, api)
                             : "another cublasLt is already loaded";
  if (!mismatch.empty()) {
    attempts.push_back({place.blas, mismatch});
    return std::nullopt;
  }
  api.runtime_library.file = runtime->file();
  api.blas_lt_library.file = blas_lt->file();
  api.blas_library.file = blas->file();
  return api;
}

}  // namespace tandem::cuda
