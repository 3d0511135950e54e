#include "cpu/cpu_backend.h"

#include <variant>

#include "cpu/floating_point.h"
#include "cpu/rules.h"

namespace tandem::cpu {

Tensor run(const Operation& operation, std::span<const TensorView> operands,
           const Choice& choice) {
  const FloatingPointScope scope;
  return std::visit(
      [&](const auto& plan) { return apply(plan, operands, choice); },
      operation);
}

}  // namespace tandem::cpu
