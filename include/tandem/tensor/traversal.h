// Traversal: a checked walk over storage offsets in row-major order.
#pragma once

#include <tandem/export.h>
#include <tandem/tensor/shape.h>

#include <cstddef>

namespace tandem {

/// Visits every element of a logical shape in row-major order. Holding one is
/// the proof that every offset it yields lies inside the storage.
class TANDEM_API Traversal {
 public:
  /// Throws ShapeError where the ranks differ, the count overflows, or the
  /// smallest or largest offset lies outside [0, storage_count).
  static Traversal make(const Shape& shape, const Strides& strides,
                        std::size_t offset, std::size_t storage_count);

  std::size_t size() const { return size_; }

  /// Calls visit(offset) for each element.
  template <class Visit>
  void for_each(Visit visit) const {
    AxisList<std::size_t> index(shape_.rank(), 0);
    auto offset = static_cast<std::ptrdiff_t>(offset_);
    for (std::size_t count = 0; count < size_; ++count) {
      visit(static_cast<std::size_t>(offset));
      offset = advance(index, offset);
    }
  }

 private:
  Traversal() = default;
  std::ptrdiff_t advance(AxisList<std::size_t>& index,
                         std::ptrdiff_t offset) const;

  Shape shape_;
  Strides strides_;
  std::size_t offset_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tandem
