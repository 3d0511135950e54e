#include "cpu/cpu_backend.h"

#include <variant>

#include "cpu/rules.h"

namespace tandem::cpu {

Tensor run(const Operation& operation, std::span<const TensorView> operands,
           const Choice& choice) {
  return std::visit(
      [&](const auto& plan) { return apply(plan, operands, choice); },
      operation);
}

}  // namespace tandem::cpu
