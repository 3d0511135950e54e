#include <tandem/tensor/error.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tensor/storage_access.h"

namespace tandem {

Tensor::Tensor() : Tensor(copy_of({0}, {})) {}

Tensor::Tensor(const Shape& shape, const std::vector<double>& values)
    : Tensor(copy_of(shape, values)) {}

Tensor::Tensor(Shape shape, std::size_t size,
               std::shared_ptr<const Storage> storage)
    : shape_(std::move(shape)), size_(size), storage_(std::move(storage)) {}

Tensor Tensor::copy_of(const Shape& shape, std::span<const double> values) {
  row_major_strides(shape, "tensor");
  const std::size_t count = element_count(shape, "tensor");
  if (values.size() != count) {
    throw ShapeError("tensor: value count differs from shape: shape " +
                     to_string(shape) + " has " + std::to_string(count) +
                     ", given are " + std::to_string(values.size()));
  }
  TensorBuilder builder(shape);
  std::copy(values.begin(), values.end(), builder.values());
  return builder.finish();
}

Tensor Tensor::zeros(const Shape& shape) { return full(shape, 0.0); }

Tensor Tensor::ones(const Shape& shape) { return full(shape, 1.0); }

Tensor Tensor::full(const Shape& shape, double value) {
  row_major_strides(shape, "tensor");
  TensorBuilder builder(shape);
  std::fill_n(builder.values(), builder.size(), value);
  return builder.finish();
}

Tensor Tensor::scalar(double value) { return full({}, value); }

std::span<const double> Tensor::values() const& {
  return {storage_->values(), size_};
}

double Tensor::at(std::initializer_list<std::size_t> indices) const {
  return view().get(indices);
}

double Tensor::item() const {
  if (size_ != 1) {
    throw ShapeError("item: needs exactly one value: shape is " +
                     to_string(shape_));
  }
  return *storage_->values();
}

Tensor Tensor::reshape(const Shape& shape) const {
  view().reshape(shape);
  return Tensor(shape, size_, storage_);
}

TensorView Tensor::view() const { return TensorView(*this); }

}  // namespace tandem
