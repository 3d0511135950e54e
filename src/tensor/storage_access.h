// The one way from tensors and views to their storage, for backends.
#pragma once

#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <memory>
#include <utility>

#include "tensor/storage.h"

namespace tandem {

struct StorageAccess {
  static const std::shared_ptr<const Storage>& storage(const TensorView& view) {
    return view.storage_;
  }

  /// The view's first element, from which its strides count.
  static const double* origin(const TensorView& view) {
    return view.storage_->values() + view.offset_;
  }

  /// True where the view is all of its storage, in order.
  static bool is_whole(const TensorView& view) {
    return view.is_contiguous() && view.size() == view.storage_->count();
  }

  /// A tensor over storage that holds exactly the shape's count of values.
  static Tensor tensor(Shape shape, std::shared_ptr<const Storage> storage) {
    const std::size_t count = storage->count();
    return Tensor(std::move(shape), count, std::move(storage));
  }

  static TensorView view(Shape shape, Strides strides, std::size_t offset,
                         std::shared_ptr<const Storage> storage) {
    return TensorView(std::move(shape), std::move(strides), offset,
                      std::move(storage));
  }
};

/// A tensor in the making: fill values(), then finish().
class TensorBuilder {
 public:
  explicit TensorBuilder(Shape shape, const char* operation = "tensor")
      : storage_(Storage::allocate(element_count(shape, operation))),
        shape_(std::move(shape)) {}

  double* values() { return storage_->writable(); }
  std::size_t size() const { return storage_->count(); }
  Tensor finish() {
    return StorageAccess::tensor(std::move(shape_), std::move(storage_));
  }

 private:
  std::shared_ptr<Storage> storage_;
  Shape shape_;
};

}  // namespace tandem
