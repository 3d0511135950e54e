#include <tandem/tensor/error.h>
#include <tandem/tensor/traversal.h>
#include <tandem/tensor/view.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tensor/storage_access.h"

namespace tandem {
namespace {

std::string list(const std::vector<std::size_t>& values) {
  return to_string(Shape(values));
}

std::ptrdiff_t to_signed(std::size_t value) {
  return static_cast<std::ptrdiff_t>(value);
}

// Messages are put together only where they are needed: views are made often.
void check_permutation(const std::vector<std::size_t>& axes,
                       const Shape& shape) {
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string("permute: ") + why + ": axes are " +
                     list(axes) + ", shape is " + to_string(shape));
  };
  if (axes.size() != shape.rank()) reject("needs one entry per axis");
  for (const std::size_t axis : axes) {
    if (axis >= shape.rank()) reject("axis out of range");
  }
  for (const std::size_t axis : axes) {
    if (std::count(axes.begin(), axes.end(), axis) > 1) {
      reject("axis appears twice");
    }
  }
}

void check_slice(const Shape& shape, std::size_t axis, std::size_t start,
                 std::size_t end, std::size_t step) {
  check_axis(shape, axis, "slice");
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string("slice: ") + why + ": start is " +
                     std::to_string(start) + ", end is " + std::to_string(end) +
                     ", step is " + std::to_string(step) + ", axis " +
                     std::to_string(axis) + " of " + to_string(shape));
  };
  if (start > end) reject("start lies beyond end");
  if (end > shape[axis]) reject("end lies beyond the extent");
  if (step == 0) reject("step must be positive");
}

}  // namespace

TensorView::TensorView(const Tensor& tensor)
    : shape_(tensor.shape()),
      strides_(row_major_strides(shape_, "view")),
      size_(tensor.size()),
      storage_(tensor.storage_) {}

TensorView::TensorView(double scalar) : TensorView(Tensor::scalar(scalar)) {}

TensorView::TensorView(Shape shape, Strides strides, std::size_t offset,
                       std::shared_ptr<const Storage> storage)
    : shape_(std::move(shape)),
      strides_(std::move(strides)),
      offset_(offset),
      size_(element_count(shape_, "view")),
      storage_(std::move(storage)) {}

bool TensorView::is_contiguous() const {
  if (size_ <= 1) return true;
  std::ptrdiff_t expected = 1;
  for (std::size_t axis = rank(); axis-- > 0;) {
    if (shape_[axis] == 1) continue;
    if (strides_[axis] != expected) return false;
    expected *= to_signed(shape_[axis]);
  }
  return true;
}

TensorView TensorView::reshape(const Shape& shape) const {
  Strides strides = row_major_strides(shape, "reshape");
  const std::size_t count = element_count(shape, "reshape");
  if (count != size_) {
    throw ShapeError("reshape: element counts differ: " + to_string(shape_) +
                     " has " + std::to_string(size_) + ", " + to_string(shape) +
                     " has " + std::to_string(count));
  }
  if (!is_contiguous()) {
    throw ShapeError("reshape: view is not contiguous: shape is " +
                     to_string(shape_) + ", asked for " + to_string(shape));
  }
  return TensorView(shape, std::move(strides), offset_, storage_);
}

TensorView TensorView::transpose(std::size_t a, std::size_t b) const {
  check_axis(shape_, a, "transpose");
  check_axis(shape_, b, "transpose");
  TensorView result = *this;
  result.shape_ = shape_.with_extent(a, shape_[b]).with_extent(b, shape_[a]);
  std::swap(result.strides_[a], result.strides_[b]);
  return result;
}

TensorView TensorView::permute(const std::vector<std::size_t>& axes) const {
  check_permutation(axes, shape_);
  AxisList<std::size_t> extents(rank(), 0);
  Strides strides(rank(), 0);
  for (std::size_t i = 0; i < rank(); ++i) {
    extents[i] = shape_[axes[i]];
    strides[i] = strides_[axes[i]];
  }
  return TensorView(Shape(std::move(extents)), std::move(strides), offset_,
                    storage_);
}

TensorView TensorView::slice(std::size_t axis, std::size_t start,
                             std::size_t end, std::size_t step) const {
  check_slice(shape_, axis, start, end, step);
  const std::size_t extent = end == start ? 0 : (end - start - 1) / step + 1;
  Strides strides = strides_;
  // With at most one index the step is never taken, and may be of any size.
  if (extent > 1) strides[axis] *= to_signed(step);
  // An empty slice at the very end would otherwise point past the storage.
  const std::ptrdiff_t shift =
      extent == 0 ? 0 : to_signed(start) * strides_[axis];
  return TensorView(shape_.with_extent(axis, extent), std::move(strides),
                    static_cast<std::size_t>(to_signed(offset_) + shift),
                    storage_);
}

TensorView TensorView::reverse(std::size_t axis) const {
  check_axis(shape_, axis, "reverse");
  TensorView result = *this;
  if (size_ == 0) return result;
  const std::ptrdiff_t last = to_signed(shape_[axis] - 1) * strides_[axis];
  result.offset_ = static_cast<std::size_t>(to_signed(offset_) + last);
  result.strides_[axis] = -strides_[axis];
  return result;
}

TensorView TensorView::broadcast_to(const Shape& shape) const {
  if (shape.rank() < rank() ||
      !(broadcast_shapes(shape_, shape, "broadcast_to") == shape)) {
    throw ShapeError("broadcast_to: shape cannot become the target: shape is " +
                     to_string(shape_) + ", target is " + to_string(shape));
  }
  const std::size_t missing = shape.rank() - rank();
  Strides strides(shape.rank(), 0);
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (shape_[axis] != 1) strides[missing + axis] = strides_[axis];
  }
  element_count(shape, "broadcast_to");
  return TensorView(shape, std::move(strides), offset_, storage_);
}

TensorView TensorView::squeeze(std::size_t axis) const {
  check_axis(shape_, axis, "squeeze");
  if (shape_[axis] != 1) {
    throw ShapeError("squeeze: extent must be 1: axis is " +
                     std::to_string(axis) + ", shape is " + to_string(shape_));
  }
  TensorView result = *this;
  result.shape_ = shape_.without_axis(axis);
  result.strides_.erase(axis);
  return result;
}

TensorView TensorView::unsqueeze(std::size_t axis) const {
  if (axis > rank()) {
    throw ShapeError("unsqueeze: axis out of range: axis is " +
                     std::to_string(axis) + ", shape is " + to_string(shape_));
  }
  TensorView result = *this;
  result.shape_ = shape_.with_axis(axis, 1);
  result.strides_.insert(axis, 1);
  return result;
}

Tensor TensorView::materialize() const {
  // Moved around a zero extent, the others may multiply to too much.
  row_major_strides(shape_, "materialize");
  if (StorageAccess::is_whole(*this)) {
    return StorageAccess::tensor(shape_, storage_);
  }
  const Traversal traversal =
      Traversal::make(shape_, strides_, offset_, storage_->count());
  TensorBuilder builder(shape_, "materialize");
  const double* source = storage_->values();
  double* target = builder.values();
  traversal.for_each([&](std::size_t offset) { *target++ = source[offset]; });
  return builder.finish();
}

double TensorView::get(std::initializer_list<std::size_t> indices) const {
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string("get: ") + why + ": index is " +
                     list(indices) + ", shape is " + to_string(shape_));
  };
  if (indices.size() != rank()) reject("needs one index per axis");
  auto offset = to_signed(offset_);
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    const std::size_t index = indices.begin()[axis];
    if (index >= shape_[axis]) reject("index out of range");
    offset += to_signed(index) * strides_[axis];
  }
  return storage_->values()[offset];
}

}  // namespace tandem
