#include "autograd/finite.h"

#include <tandem/tensor/error.h>

#include <cmath>

#include "cpu/loop_nest.h"
#include "tensor/storage_access.h"

namespace tandem::autograd {

void check_finite(const TensorView& view, const std::string& operation) {
  if (view.size() == 0) return;
  const double* origin = StorageAccess::origin(view);
  std::size_t index = 0;
  const cpu::LoopNest<1> nest(view.shape(), {&view.strides()});
  nest.run([&](const auto& offsets, std::size_t count, const auto& steps) {
    const double* value = origin + offsets[0];
    for (std::size_t i = 0; i < count; ++i, ++index, value += steps[0]) {
      if (!std::isfinite(*value)) {
        throw NonfiniteError(operation, index, *value);
      }
    }
  });
}

}  // namespace tandem::autograd
