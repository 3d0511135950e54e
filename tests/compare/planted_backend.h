// A device of the CPU's own results, one of which may be spoiled.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/ops/operation.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "execution/backend.h"
#include "execution/context_access.h"

namespace tandem::test {

/// Computes products, sums and means as the CPU does and declines the rest.
/// Counts as a device would: each as one request of 8 bytes in and 1 out.
class PlantedBackend : public Backend {
 public:
  static constexpr std::size_t never = ~std::size_t{0};

  /// Adds `error` to the last element of the result of request `spoiled`,
  /// counted from 0.
  explicit PlantedBackend(std::size_t spoiled = never, double error = 1.0)
      : spoiled_(spoiled), error_(error) {}

  Device device() const override { return {DeviceKind::cuda, 7}; }
  ExecutionStats stats() const override {
    return {requests_, 8 * requests_, requests_};
  }
  void release_unused_memory() override {}

  std::optional<Tensor> run(const Operation& operation,
                            std::span<const TensorView> operands) override {
    if (!is_native(operation)) return std::nullopt;
    const Tensor sound = ExecutionContext::cpu().run(operation, operands);
    if (requests_++ != spoiled_) return sound;
    std::vector<double> values(sound.values().begin(), sound.values().end());
    values.back() += error_;
    return Tensor(sound.shape(), values);
  }

 private:
  static bool is_native(const Operation& operation) {
    if (std::holds_alternative<MatmulPlan>(operation)) return true;
    const auto* reduction = std::get_if<ReducePlan>(&operation);
    return reduction != nullptr && reduction->reduction() != Reduction::max;
  }

  std::size_t requests_ = 0;
  std::size_t spoiled_;
  double error_;
};

inline ExecutionContext planted_context(
    std::size_t spoiled = PlantedBackend::never, double error = 1.0) {
  return ContextAccess::over(std::make_shared<PlantedBackend>(spoiled, error));
}

}  // namespace tandem::test
