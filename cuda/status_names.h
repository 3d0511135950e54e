// Symbolic names of the native statuses: what an error says beside the number.
#pragma once

#include <span>
#include <string>

#include "cuda/abi/blas.h"
#include "cuda/abi/driver.h"
#include "cuda/abi/runtime.h"

namespace tandem::cuda {

struct StatusName {
  int code;
  const char* name;
};

/// Every status the toolkit's headers list, by ascending code.
std::span<const StatusName> driver_status_names();
std::span<const StatusName> runtime_status_names();
std::span<const StatusName> blas_status_names();

/// The symbolic name, or "unknown" for a status that no header lists.
const char* name_of(abi::DriverStatus status);
const char* name_of(abi::RuntimeStatus status);
const char* name_of(abi::BlasStatus status);

/// For example `cublas status 13 (CUBLAS_STATUS_EXECUTION_FAILED)`.
std::string describe(abi::DriverStatus status);
std::string describe(abi::RuntimeStatus status);
std::string describe(abi::BlasStatus status);

}  // namespace tandem::cuda
