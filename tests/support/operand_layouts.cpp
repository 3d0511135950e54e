#include "support/operand_layouts.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace tandem::test {
namespace {

using Index = std::vector<std::size_t>;

std::size_t product(const Index& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1},
                         std::multiplies<>());
}

// The row-major position of an index.
std::size_t position(const Index& index, const Index& extents) {
  std::size_t flat = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    flat = flat * extents[axis] + index[axis];
  }
  return flat;
}

void advance(Index& index, const Index& extents) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (++index[axis] < extents[axis]) return;
    index[axis] = 0;
  }
}

// For each layout: where an element of the view lies in the base. An extent is
// mapped with `is_extent`, so that the base is large enough.
Index in_base(OperandLayout layout, Index index, bool is_extent) {
  const std::size_t last = index.size() - 1;
  switch (layout) {
    case OperandLayout::packed:
      break;
    case OperandLayout::transposed:
      std::swap(index[last - 1], index[last]);
      break;
    case OperandLayout::stepped:
      index[last - 1] = 2 * index[last - 1] + 1;
      index[last] = 2 * index[last] + 1;
      break;
    case OperandLayout::offset:
      for (auto& at : index) at += is_extent ? 3 : 2;
      break;
    case OperandLayout::zero_stride:
      index[last - 1] = is_extent ? 1 : 0;
      break;
    case OperandLayout::permuted_batch:
      if (index.size() == 2) {
        index.insert(index.begin() + 1, is_extent ? 2 : 1);
      } else {  // the first axis goes to just before the last
        std::rotate(index.begin(), index.begin() + 1, index.end() - 1);
      }
      break;
  }
  return index;
}

TensorView permute_batch(const TensorView& base, const Shape& shape) {
  if (shape.rank() == 2) return base.slice(1, 1, 2).squeeze(1);
  Index axes(shape.rank());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::rotate(axes.begin(), axes.end() - 2, axes.end() - 1);
  return base.permute(axes);
}

TensorView view_of(OperandLayout layout, const TensorView& base,
                   const Shape& shape) {
  const std::size_t last = shape.rank() - 1;
  TensorView view = base;
  switch (layout) {
    case OperandLayout::packed:
      return view;
    case OperandLayout::transposed:
      return view.transpose(last - 1, last);
    case OperandLayout::stepped:
      return view.slice(last - 1, 1, 2 * shape[last - 1] + 1, 2)
          .slice(last, 1, 2 * shape[last] + 1, 2);
    case OperandLayout::offset:
      for (std::size_t axis = 0; axis <= last; ++axis) {
        view = view.slice(axis, 2, 2 + shape[axis]);
      }
      return view;
    case OperandLayout::zero_stride:
      return view.broadcast_to(shape);
    case OperandLayout::permuted_batch:
      return permute_batch(view, shape);
  }
  return view;
}

}  // namespace

std::vector<OperandLayout> all_layouts() {
  return {OperandLayout::packed,      OperandLayout::transposed,
          OperandLayout::stepped,     OperandLayout::offset,
          OperandLayout::zero_stride, OperandLayout::permuted_batch};
}

const char* to_string(OperandLayout layout) {
  static constexpr const char* names[] = {"packed",      "transposed",
                                          "stepped",     "offset",
                                          "zero stride", "permuted batch"};
  return names[static_cast<std::size_t>(layout)];
}

bool Operand::is_unchanged() const {
  const auto now = base.values();
  return now.size() == base_before.size() &&
         (now.empty() ||
          std::memcmp(now.data(), base_before.data(), now.size_bytes()) == 0);
}

Operand make_operand(OperandLayout layout, const Shape& shape,
                     TestValues& values) {
  const Index extents(shape.begin(), shape.end());
  const Index base_extents = in_base(layout, extents, true);
  std::vector<double> base(product(base_extents), 1e300);
  std::vector<double> shown(product(extents));
  Index index(extents.size(), 0);
  for (double& value : shown) {
    double& cell = base[position(in_base(layout, index, false), base_extents)];
    if (cell == 1e300) cell = values.next();
    value = cell;
    advance(index, extents);
  }
  const Tensor tensor(Shape(base_extents), base);
  return {std::move(shown), std::move(base), tensor,
          view_of(layout, tensor, shape)};
}

}  // namespace tandem::test
