#include "cuda/checked.h"

#include <string>

namespace tandem::cuda {
namespace {

template <typename Status>
void check_status(Status status, ExecutionStage stage, const char* function) {
  if (status == Status::success) return;
  throw ExecutionError(
      stage, std::string("cuda: ") + function + " failed: " + describe(status),
      static_cast<int>(status), name_of(status));
}

}  // namespace

void check(abi::DriverStatus status, ExecutionStage stage,
           const char* function) {
  check_status(status, stage, function);
}

void check(abi::RuntimeStatus status, ExecutionStage stage,
           const char* function) {
  check_status(status, stage, function);
}

void check(abi::BlasStatus status, ExecutionStage stage, const char* function) {
  check_status(status, stage, function);
}

}  // namespace tandem::cuda
