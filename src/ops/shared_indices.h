// Indices as plans and gradients keep them: copied once, then shared.
#pragma once

#include <tandem/ops/gather_plan.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tandem {

inline Indices share(const std::vector<std::size_t>& indices) {
  return std::make_shared<const std::vector<std::size_t>>(indices);
}

}  // namespace tandem
