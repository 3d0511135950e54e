#include <tandem/tensor/error.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace tandem {
namespace {

std::string round_trip(double value) {
  if (std::isnan(value)) return "nan";  // printf adds a sign to some
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace

NonfiniteError::NonfiniteError(const std::string& operation, std::size_t index,
                               double value, const std::string& what)
    : Error(operation + ": " + what + " is not finite: element " +
            std::to_string(index) + " is " + round_trip(value)),
      operation_(operation),
      index_(index),
      value_(value) {}

const char* to_string(ExecutionStage stage) {
  switch (stage) {
    case ExecutionStage::feature:
      return "feature";
    case ExecutionStage::precision:
      return "precision";
    case ExecutionStage::library:
      return "library";
    case ExecutionStage::driver:
      return "driver";
    case ExecutionStage::device:
      return "device";
    case ExecutionStage::handle:
      return "handle";
    case ExecutionStage::allocate:
      return "allocate";
    case ExecutionStage::copy:
      return "copy";
    case ExecutionStage::gemm:
      return "gemm";
    case ExecutionStage::synchronize:
      return "synchronize";
  }
  return "unknown";
}

ExecutionError::ExecutionError(ExecutionStage stage, const std::string& message,
                               int code, std::string code_name)
    : Error(message),
      stage_(stage),
      code_(code),
      code_name_(std::move(code_name)) {}

}  // namespace tandem
