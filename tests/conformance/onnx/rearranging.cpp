// Views, joins and selections.
#include <algorithm>
#include <numeric>

#include "conformance/onnx/node.h"
#include "support/python_slice.h"

namespace tandem::test::onnx {
namespace {

using Sizes = std::vector<std::size_t>;

TensorView sliced(const Node& node) {
  TensorView view = node.input(0);
  const auto starts = node.integers(1);
  const auto ends = node.integers(2);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis =
        node.has(3) ? axis_of(node.integers(3)[i], view.rank()) : i;
    const std::int64_t step = node.has(4) ? node.integers(4)[i] : 1;
    view = python_slice(view, axis, starts[i], ends[i], step);
  }
  return view;
}

TensorView unsqueezed(const Node& node) {
  TensorView view = node.input(0);
  const auto given = node.integers(1);
  Sizes axes;
  for (const std::int64_t axis : given) {
    axes.push_back(axis_of(axis, view.rank() + given.size()));
  }
  std::sort(axes.begin(), axes.end());
  for (const std::size_t axis : axes) view = view.unsqueeze(axis);
  return view;
}

Tensor reshape(const Node& node) {
  const Tensor x = node.input(0);
  Sizes extents;
  for (const std::int64_t extent : node.integers(1)) {
    if (extent <= 0) throw Unsupported("Reshape to an extent to be inferred");
    extents.push_back(static_cast<std::size_t>(extent));
  }
  return x.reshape(Shape(extents));
}

Tensor flatten(const Node& node) {
  const Tensor x = node.input(0);
  const std::size_t axis =
      axis_of(node.attribute("axis", std::int64_t{1}), x.rank());
  const auto count = [](const std::size_t* first, const std::size_t* last) {
    return std::accumulate(first, last, std::size_t{1}, std::multiplies<>());
  };
  const std::size_t* middle = x.shape().begin() + axis;
  return x.reshape(
      {count(x.shape().begin(), middle), count(middle, x.shape().end())});
}

Tensor concatenated(const Node& node) {
  std::vector<TensorView> operands;
  for (std::size_t i = 0; i < node.inputs(); ++i) {
    operands.push_back(node.input(i));
  }
  const std::size_t axis =
      axis_of(node.attribute("axis", std::int64_t{0}), operands.at(0).rank());
  return concat(operands, axis, node.context());
}

Outputs split(const Node& node) {
  node.takes_at_most(1);
  const Tensor x = node.input(0);
  const std::size_t axis =
      axis_of(node.attribute("axis", std::int64_t{0}), x.rank());
  const std::size_t parts = node.outputs();
  const std::size_t extent = x.shape()[axis];
  if (extent % parts != 0) throw Unsupported("Split into unequal parts");
  Outputs outputs;
  for (std::size_t i = 0; i < parts; ++i) {
    outputs.push_back(
        x.view()
            .slice(axis, i * (extent / parts), (i + 1) * (extent / parts))
            .materialize());
  }
  return outputs;
}

// The axis first, all others flattened: a table whose rows are picked.
Tensor gather(const Node& node) {
  const Tensor x = node.input(0);
  const std::size_t axis =
      axis_of(node.attribute("axis", std::int64_t{0}), x.rank());
  Sizes order{axis};
  for (std::size_t i = 0; i < x.rank(); ++i) {
    if (i != axis) order.push_back(i);
  }
  const TensorView first = x.view().permute(order);
  const std::size_t rows = x.shape()[axis];
  Sizes indices;
  for (const std::int64_t index : node.integers(1)) {
    indices.push_back(axis_of(index, rows));
  }
  const std::size_t width = rows == 0 ? 0 : x.size() / rows;
  const Shape index_shape = node.input_shape(1);
  const Tensor picked = gather_rows(reshaped(first, {rows, width}), indices,
                                    index_shape, node.context());

  Sizes extents(index_shape.begin(), index_shape.end());
  extents.insert(extents.end(), first.shape().begin() + 1, first.shape().end());
  // The index axes go back to where the axis was.
  Sizes back(extents.size());
  std::iota(back.begin(), back.end(), std::size_t{0});
  const auto moved = static_cast<std::ptrdiff_t>(index_shape.rank());
  const auto place = static_cast<std::ptrdiff_t>(axis);
  std::rotate(back.begin(), back.begin() + moved, back.begin() + moved + place);
  return picked.reshape(Shape(extents)).view().permute(back).materialize();
}

}  // namespace

std::optional<Outputs> run_rearranging(const Node& node) {
  const std::string op = node.op();
  if (op == "Slice") return Outputs{sliced(node).materialize()};
  if (op == "Unsqueeze") return Outputs{unsqueezed(node).materialize()};
  if (op == "Transpose") {
    const TensorView x = node.input(0);
    return Outputs{x.permute(node.sizes_attribute("perm")).materialize()};
  }
  if (op == "Reshape") return Outputs{reshape(node)};
  if (op == "Flatten") return Outputs{flatten(node)};
  if (op == "Concat") return Outputs{concatenated(node)};
  if (op == "Split") return split(node);
  if (op == "Gather") return Outputs{gather(node)};
  return std::nullopt;
}

}  // namespace tandem::test::onnx
