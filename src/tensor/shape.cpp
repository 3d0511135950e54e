#include <tandem/tensor/error.h>
#include <tandem/tensor/shape.h>

#include <algorithm>
#include <cstdint>

namespace tandem {
namespace {

// Every stride and every count of bytes has to fit a signed offset.
constexpr std::size_t largest_count =
    static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(double);

bool multiply_within_limit(std::size_t& product, std::size_t factor) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(product, factor, &result)) return false;
  if (result > largest_count) return false;
  product = result;
  return true;
}

std::string at(const char* operation) { return std::string(operation) + ": "; }

}  // namespace

bool Shape::is_empty() const {
  return std::find(begin(), end(), std::size_t{0}) != end();
}

Shape Shape::with_extent(std::size_t axis, std::size_t extent) const {
  Shape result = *this;
  result.extents_[axis] = extent;
  return result;
}

Shape Shape::with_axis(std::size_t axis, std::size_t extent) const {
  Shape result = *this;
  result.extents_.insert(axis, extent);
  return result;
}

Shape Shape::without_axis(std::size_t axis) const {
  Shape result = *this;
  result.extents_.erase(axis);
  return result;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

std::size_t element_count(const Shape& shape, const char* operation) {
  if (shape.is_empty()) return 0;
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (!multiply_within_limit(count, extent)) {
      throw ShapeError(at(operation) + "element count overflows: shape is " +
                       to_string(shape));
    }
  }
  return count;
}

Strides row_major_strides(const Shape& shape, const char* operation) {
  Strides strides(shape.rank(), 0);
  std::size_t stride = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    strides[axis] = static_cast<std::ptrdiff_t>(stride);
    if (axis > 0 && !multiply_within_limit(stride, shape[axis])) {
      throw ShapeError(at(operation) + "stride overflows: shape is " +
                       to_string(shape));
    }
  }
  return strides;
}

Shape broadcast_shapes(const Shape& left, const Shape& right,
                       const char* operation) {
  const std::size_t rank = std::max(left.rank(), right.rank());
  AxisList<std::size_t> extents(rank, 1);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const auto extent_of = [&](const Shape& shape) {
      const std::size_t missing = rank - shape.rank();
      return axis < missing ? std::size_t{1} : shape[axis - missing];
    };
    const std::size_t a = extent_of(left);
    const std::size_t b = extent_of(right);
    if (a != b && a != 1 && b != 1) {
      throw ShapeError(at(operation) + "shapes do not broadcast at axis " +
                       std::to_string(axis) + ": left is " + to_string(left) +
                       ", right is " + to_string(right));
    }
    extents[axis] = a == 1 ? b : a;
  }
  return Shape(std::move(extents));
}

void check_axis(const Shape& shape, std::size_t axis, const char* operation) {
  if (axis >= shape.rank()) {
    throw ShapeError(at(operation) + "axis out of range: axis is " +
                     std::to_string(axis) + ", shape is " + to_string(shape));
  }
}

}  // namespace tandem
