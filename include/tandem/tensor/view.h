// TensorView: a window on a tensor's storage with its own shape and strides.
// Every operation reads its operands through one.
#pragma once

#include <tandem/export.h>
#include <tandem/tensor/shape.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <vector>

namespace tandem {

/// Shape, signed strides and an offset over shared storage. Making a view never
/// copies a value; a view keeps the storage alive. All strides and the offset
/// are in elements. All errors are ShapeErrors.
class TANDEM_API TensorView {
 public:
  /// All of a tensor.
  TensorView(const Tensor& tensor);  // NOLINT: every operation takes views

  /// One value of rank 0, so that `mul(x, 2.0)` reads as it should.
  TensorView(double scalar);  // NOLINT

  const Shape& shape() const& { return shape_; }
  Shape shape() const&& { return shape_; }
  const Strides& strides() const& { return strides_; }
  Strides strides() const&& { return strides_; }
  std::size_t offset() const { return offset_; }
  std::size_t rank() const { return shape_.rank(); }
  std::size_t size() const { return size_; }

  /// True where the values lie packed in row-major order. Scalars and empty
  /// views are; the stride of an axis of extent 1 does not matter.
  bool is_contiguous() const;

  /// Throws unless the counts are equal and the view is contiguous.
  TensorView reshape(const Shape& shape) const;
  TensorView transpose(std::size_t a, std::size_t b) const;
  /// Axis i of the result is axis axes[i] of this.
  TensorView permute(const std::vector<std::size_t>& axes) const;
  /// Indices start, start + step, ... below end along `axis`; step >= 1. An
  /// empty slice is allowed.
  TensorView slice(std::size_t axis, std::size_t start, std::size_t end,
                   std::size_t step = 1) const;
  TensorView reverse(std::size_t axis) const;
  /// Aligns trailing axes and repeats axes of extent 1 with stride 0.
  TensorView broadcast_to(const Shape& shape) const;
  /// Removes an axis of extent 1.
  TensorView squeeze(std::size_t axis) const;
  /// Puts an axis of extent 1 before `axis`; axis <= rank().
  TensorView unsqueeze(std::size_t axis) const;

  /// The values as a tensor of their own; shares the storage where this view
  /// is all of it, in order.
  Tensor materialize() const;

  /// The value at one index per axis.
  double get(std::initializer_list<std::size_t> indices) const;

 private:
  friend struct StorageAccess;
  TensorView(Shape shape, Strides strides, std::size_t offset,
             std::shared_ptr<const Storage> storage);

  Shape shape_;
  Strides strides_;
  std::size_t offset_ = 0;
  std::size_t size_ = 0;
  std::shared_ptr<const Storage> storage_;
};

/// The view's values, as its tensor would print.
TANDEM_API std::ostream& operator<<(std::ostream& stream,
                                    const TensorView& view);

}  // namespace tandem
