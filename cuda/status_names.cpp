#include "cuda/status_names.h"

#include <algorithm>

namespace tandem::cuda {
namespace {

const char* find(std::span<const StatusName> names, int code) {
  const auto found = std::lower_bound(
      names.begin(), names.end(), code,
      [](const StatusName& entry, int wanted) { return entry.code < wanted; });
  const bool known = found != names.end() && found->code == code;
  return known ? found->name : "unknown";
}

std::string describe(const char* library, int code, const char* name) {
  return std::string(library) + " status " + std::to_string(code) + " (" +
         name + ")";
}

}  // namespace

const char* name_of(abi::DriverStatus status) {
  return find(driver_status_names(), static_cast<int>(status));
}

const char* name_of(abi::RuntimeStatus status) {
  return find(runtime_status_names(), static_cast<int>(status));
}

const char* name_of(abi::BlasStatus status) {
  return find(blas_status_names(), static_cast<int>(status));
}

std::string describe(abi::DriverStatus status) {
  return describe("driver", static_cast<int>(status), name_of(status));
}

std::string describe(abi::RuntimeStatus status) {
  return describe("runtime", static_cast<int>(status), name_of(status));
}

std::string describe(abi::BlasStatus status) {
  return describe("cublas", static_cast<int>(status), name_of(status));
}

}  // namespace tandem::cuda
