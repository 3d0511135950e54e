// Layout: shape and strides of an operand, without its storage.
#pragma once

#include <tandem/export.h>
#include <tandem/tensor/shape.h>
#include <tandem/tensor/view.h>

namespace tandem {

/// What a plan knows of an operand. A plan runs on any view of this layout.
struct Layout {
  Shape shape;
  Strides strides;

  static Layout of(const TensorView& view) {
    return {view.shape(), view.strides()};
  }

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// The strides that make an operand look as if it had `shape`, to which it
/// broadcasts: 0 along each repeated axis.
TANDEM_API Strides broadcast_strides(const Layout& operand, const Shape& shape);

}  // namespace tandem
