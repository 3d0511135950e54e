// StridedSource: where an operand's values lie, and how they are packed into
// row-major order.
#pragma once

#include <cstddef>
#include <vector>

namespace tandem::cuda {

/// Values of a logical row-major array that lie with strides of any sign. Axes
/// that lie behind one another are merged when it is made.
class StridedSource {
 public:
  /// `first` is the element at index zero of every axis; no extent is zero.
  StridedSource(const double* first, const std::vector<std::size_t>& extents,
                const std::vector<std::ptrdiff_t>& strides);

  /// Whether the values lie packed in row-major order already.
  bool is_packed() const;
  const double* first() const { return first_; }

  /// Writes the elements [begin, begin + count) of the row-major order.
  void pack(std::size_t begin, std::size_t count, double* out) const;

  /// Elements along the innermost merged axis: parts that begin on a multiple
  /// of this pack fastest.
  std::size_t row_length() const { return axes_.back().extent; }

 private:
  struct Axis {
    std::size_t extent;
    std::ptrdiff_t stride;
  };

  const double* row(std::size_t index) const;
  void pack_row(const double* from, std::size_t count, double* out) const;
  std::size_t pack_rows(std::size_t row, std::size_t rows, double* out) const;

  const double* first_;
  std::vector<Axis> axes_;  // at least one
};

}  // namespace tandem::cuda
