// Parameter: a tracked leaf that owns a gradient and may be updated.
#pragma once

#include <tandem/autograd/variable.h>
#include <tandem/export.h>
#include <tandem/tensor/tensor.h>

#include <cstdint>
#include <functional>

namespace tandem::autograd {

/// Gives a value when it is asked for.
using ValueReader = std::function<Tensor()>;

/// Copying is O(1) and means the same parameter.
class TANDEM_API Parameter : public Variable {
 public:
  /// Throws NonfiniteError. The gradient is zeros from the start.
  explicit Parameter(const Tensor& value);

  /// Asks `read` when the value is first used, once whatever the threads, and
  /// then lets go of it; an update before that does without. Neither a gradient
  /// nor the version is such a use. Each use throws what `read` throws, or
  /// ShapeError or NonfiniteError, until one succeeds. `read` must not use the
  /// parameter. Throws GraphError where there is no reader.
  Parameter(const Shape& shape, ValueReader read);

  /// The sum of all passes since the last zero_grad().
  Tensor gradient() const;
  void zero_grad();

  /// Replaces the value, whole or not at all. A graph that used the old one
  /// becomes stale. Throws ShapeError unless the shape stays, NonfiniteError.
  void update(const Tensor& value);
  /// How many updates there were.
  std::uint64_t version() const;
};

}  // namespace tandem::autograd
