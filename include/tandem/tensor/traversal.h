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
    const std::size_t rank = shape_.rank();
    const std::size_t row = rank == 0 ? 1 : shape_[rank - 1];
    const std::ptrdiff_t step = rank == 0 ? 0 : strides_[rank - 1];
    AxisList<std::size_t> index(rank, 0);
    auto offset = static_cast<std::ptrdiff_t>(offset_);
    for (std::size_t done = 0; done < size_; done += row) {
      std::ptrdiff_t at = offset;
      for (std::size_t i = 0; i + 1 < row; ++i, at += step) {
        visit(static_cast<std::size_t>(at));
      }
      visit(static_cast<std::size_t>(at));
      offset = next_row(index, offset);
    }
  }

 private:
  Traversal() = default;
  std::ptrdiff_t next_row(AxisList<std::size_t>& index,
                          std::ptrdiff_t offset) const;

  Shape shape_;
  Strides strides_;
  std::size_t offset_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tandem
