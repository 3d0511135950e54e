// Shape: the extents of a tensor, and the arithmetic of extents that every
// operation shares: counts, row-major strides, broadcasting.
#pragma once

#include <tandem/export.h>
#include <tandem/tensor/axis_list.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tandem {

/// Distance in elements from one index to the next, per axis; may be negative.
using Strides = AxisList<std::ptrdiff_t>;

/// Extents, outermost axis first. Rank 0 is a scalar (one element); an extent
/// may be zero.
class TANDEM_API Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::size_t> extents) : extents_(extents) {}
  explicit Shape(const std::vector<std::size_t>& extents)
      : extents_(extents.begin(), extents.end()) {}
  explicit Shape(AxisList<std::size_t> extents)
      : extents_(std::move(extents)) {}

  std::size_t rank() const { return extents_.size(); }
  std::size_t operator[](std::size_t axis) const { return extents_[axis]; }
  const std::size_t* begin() const { return extents_.begin(); }
  const std::size_t* end() const { return extents_.end(); }
  const AxisList<std::size_t>& extents() const& { return extents_; }
  AxisList<std::size_t> extents() const&& { return extents_; }

  /// True where some extent is zero, so that there is no element.
  bool is_empty() const;

  /// The same shape with `axis` replaced, put in, or taken out. The caller has
  /// checked the axis.
  Shape with_extent(std::size_t axis, std::size_t extent) const;
  Shape with_axis(std::size_t axis, std::size_t extent) const;
  Shape without_axis(std::size_t axis) const;

  friend bool operator==(const Shape& a, const Shape& b) = default;

 private:
  AxisList<std::size_t> extents_;
};

/// `[2, 3]`; `[]` for a scalar.
TANDEM_API std::string to_string(const Shape& shape);

/// The number of elements. Throws ShapeError naming `operation` where the
/// count, or a count of bytes, would overflow.
TANDEM_API std::size_t element_count(const Shape& shape, const char* operation);

/// Strides of a packed row-major layout. Throws ShapeError naming `operation`
/// where a stride would overflow, even if another extent is zero.
TANDEM_API Strides row_major_strides(const Shape& shape, const char* operation);

/// The shape both broadcast to: trailing axes aligned, extents equal or one of
/// them 1, missing leading axes as 1. Throws ShapeError naming `operation` and
/// the leftmost output axis that does not fit.
TANDEM_API Shape broadcast_shapes(const Shape& left, const Shape& right,
                                  const char* operation);

/// Throws ShapeError naming `operation` unless axis < shape.rank().
TANDEM_API void check_axis(const Shape& shape, std::size_t axis,
                           const char* operation);

}  // namespace tandem
