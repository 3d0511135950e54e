#include <tandem/ops/layout.h>

namespace tandem {

Strides broadcast_strides(const Layout& operand, const Shape& shape) {
  const std::size_t missing = shape.rank() - operand.shape.rank();
  Strides strides(shape.rank(), 0);
  for (std::size_t axis = 0; axis < operand.shape.rank(); ++axis) {
    if (operand.shape[axis] != 1) {
      strides[missing + axis] = operand.strides[axis];
    }
  }
  return strides;
}

}  // namespace tandem
