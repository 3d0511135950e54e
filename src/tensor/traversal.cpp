#include <tandem/tensor/error.h>
#include <tandem/tensor/traversal.h>

#include <string>

namespace tandem {
namespace {

[[noreturn]] void reject(const char* why, const Shape& shape,
                         std::size_t offset, std::size_t storage_count) {
  throw ShapeError(std::string("traversal: ") + why + ": shape is " +
                   to_string(shape) + ", offset is " + std::to_string(offset) +
                   ", storage holds " + std::to_string(storage_count));
}

// Adds to `offset` how far the last index of an axis lies; false on overflow.
bool extend(std::ptrdiff_t& offset, std::size_t extent, std::ptrdiff_t stride) {
  std::ptrdiff_t distance = 0;
  return !__builtin_mul_overflow(static_cast<std::ptrdiff_t>(extent - 1),
                                 stride, &distance) &&
         !__builtin_add_overflow(offset, distance, &offset);
}

}  // namespace

Traversal Traversal::make(const Shape& shape, const Strides& strides,
                          std::size_t offset, std::size_t storage_count) {
  if (strides.size() != shape.rank()) {
    reject("needs one stride per axis", shape, offset, storage_count);
  }
  Traversal traversal;
  traversal.shape_ = shape;
  traversal.strides_ = strides;
  traversal.offset_ = offset;
  traversal.size_ = element_count(shape, "traversal");
  if (traversal.size_ == 0) return traversal;

  auto lowest = static_cast<std::ptrdiff_t>(offset);
  auto highest = lowest;
  bool fits = lowest >= 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    // Never taken, so it may be of any size.
    if (shape[axis] == 1) traversal.strides_[axis] = 0;
    auto& end = strides[axis] < 0 ? lowest : highest;
    fits = fits && extend(end, shape[axis], strides[axis]);
  }
  if (!fits || lowest < 0 ||
      static_cast<std::size_t>(highest) >= storage_count) {
    reject("offset lies outside the storage", shape, offset, storage_count);
  }
  return traversal;
}

// From the first element of one innermost row to that of the next.
std::ptrdiff_t Traversal::next_row(AxisList<std::size_t>& index,
                                   std::ptrdiff_t offset) const {
  if (shape_.rank() == 0) return offset;
  for (std::size_t axis = shape_.rank() - 1; axis-- > 0;) {
    offset += strides_[axis];
    if (++index[axis] < shape_[axis]) return offset;
    offset -= static_cast<std::ptrdiff_t>(shape_[axis]) * strides_[axis];
    index[axis] = 0;
  }
  return offset;
}

}  // namespace tandem
