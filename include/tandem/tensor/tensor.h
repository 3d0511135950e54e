// Tensor: row-major f64 values that never change. A copy shares the storage.
#pragma once

#include <tandem/export.h>
#include <tandem/tensor/shape.h>

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

namespace tandem {

class Storage;
class TensorView;

/// Immutable f64 values in row-major order. Copying is O(1) and threads may
/// read one tensor freely. Rank 0 holds one value; extents may be zero.
class TANDEM_API Tensor {
 public:
  /// A tensor of shape [0].
  Tensor();

  /// `values` in row-major order: `Tensor({2, 3}, {1, 2, 3, 4, 5, 6})`. Throws
  /// ShapeError where the shape overflows or the count of values differs.
  Tensor(const Shape& shape, const std::vector<double>& values);

  static Tensor copy_of(const Shape& shape, std::span<const double> values);
  static Tensor zeros(const Shape& shape);
  static Tensor ones(const Shape& shape);
  static Tensor full(const Shape& shape, double value);
  /// Rank 0.
  static Tensor scalar(double value);

  const Shape& shape() const& { return shape_; }
  Shape shape() const&& { return shape_; }
  std::size_t rank() const { return shape_.rank(); }
  /// The number of values.
  std::size_t size() const { return size_; }

  /// All values, row-major. Valid while this tensor, a copy or a view lives;
  /// not to be had of a temporary, with which they might go.
  std::span<const double> values() const&;
  std::span<const double> values() const&& = delete;

  /// The value at one index per axis. Throws ShapeError unless it is inside.
  double at(std::initializer_list<std::size_t> indices) const;

  /// The only value. Throws ShapeError unless size() is 1.
  double item() const;

  /// The same values under another shape, O(1). Throws ShapeError unless the
  /// element counts are equal.
  Tensor reshape(const Shape& shape) const;

  /// All of it as a view.
  TensorView view() const;

 private:
  friend class TensorView;
  friend struct StorageAccess;
  Tensor(Shape shape, std::size_t size, std::shared_ptr<const Storage> storage);

  Shape shape_;
  std::size_t size_;
  std::shared_ptr<const Storage> storage_;
};

/// Large blocks of memory are kept for reuse, at most 1 GiB while idle; this
/// gives all that is idle back to the system.
TANDEM_API void release_idle_memory();

/// Prints nested brackets; long axes are cut to their first and last three.
TANDEM_API std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);

}  // namespace tandem
