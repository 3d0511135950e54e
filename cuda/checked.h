// Checked calls: every native status becomes success or an ExecutionError that
// carries the stage, the code and its symbolic name.
#pragma once

#include <tandem/tensor/error.h>

#include "cuda/status_names.h"

namespace tandem::cuda {

/// Throws ExecutionError unless `status` is success. `function` is the native
/// function's name.
void check(abi::DriverStatus status, ExecutionStage stage,
           const char* function);
void check(abi::RuntimeStatus status, ExecutionStage stage,
           const char* function);
void check(abi::BlasStatus status, ExecutionStage stage, const char* function);

}  // namespace tandem::cuda
