// Prints tensors as nested brackets, the way NumPy does.
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

namespace tandem {
namespace {

constexpr std::size_t edge_items = 3;
// A small tensor is printed whole, even along a long axis.
constexpr std::size_t whole_count = 1000;

std::string brief(double value) {
  if (std::isnan(value)) return "nan";  // printf adds a sign to some
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

class Printer {
 public:
  Printer(std::ostream& stream, const Tensor& tensor)
      : stream_(stream),
        shape_(tensor.shape()),
        values_(tensor.values()),
        whole_(tensor.size() <= whole_count) {}

  // `first` and `count` delimit the part below `axis`.
  void print(std::size_t axis, std::size_t first, std::size_t count) {
    if (axis == shape_.rank()) {
      stream_ << brief(values_[first]);
      return;
    }
    const std::size_t extent = shape_[axis];
    const std::size_t part = extent == 0 ? 0 : count / extent;
    stream_ << '[';
    for (std::size_t i = 0; i < extent; ++i) {
      if (i > 0) separate(axis);
      if (!whole_ && extent > 2 * edge_items && i == edge_items) {
        stream_ << "...";
        separate(axis);
        i = extent - edge_items;
      }
      print(axis + 1, first + i * part, part);
    }
    stream_ << ']';
  }

 private:
  // Rows stand below each other, indented by the open brackets.
  void separate(std::size_t axis) {
    if (axis + 1 == shape_.rank()) {
      stream_ << ", ";
    } else {
      stream_ << ",\n" << std::string(axis + 1, ' ');
    }
  }

  std::ostream& stream_;
  const Shape& shape_;
  std::span<const double> values_;
  bool whole_;
};

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  if (tensor.size() == 0) return stream << "[]";
  Printer(stream, tensor).print(0, 0, tensor.size());
  return stream;
}

std::ostream& operator<<(std::ostream& stream, const TensorView& view) {
  return stream << view.materialize();
}

}  // namespace tandem
