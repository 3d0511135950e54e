// RotaryEmbedding: tables by position, pairs adjacent or in two halves.
#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

using Sizes = std::vector<std::size_t>;

// The table of one sequence, [tokens, pairs].
Tensor table_of(const Node& node, std::size_t input, std::size_t sequence) {
  const Tensor table = node.input(input);
  if (!node.has(3)) {
    return table.view()
        .slice(0, sequence, sequence + 1)
        .squeeze(0)
        .materialize();
  }
  const std::size_t tokens = node.input_shape(3)[1];
  const auto ids = node.integers(3);
  Sizes positions;
  for (std::size_t t = 0; t < tokens; ++t) {
    positions.push_back(static_cast<std::size_t>(ids[sequence * tokens + t]));
  }
  return gather_rows(table, positions, {tokens}, node.context());
}

// [..., width] with the pairs in two halves <-> adjacent.
Tensor regrouped(const Tensor& x, bool to_adjacent) {
  const std::size_t last = x.rank() - 1;
  const std::size_t half = x.shape()[last] / 2;
  Sizes extents(x.shape().begin(), x.shape().end());
  extents[last] = to_adjacent ? 2 : half;
  extents.push_back(to_adjacent ? half : 2);
  const Tensor apart = x.reshape(Shape(extents));
  return reshaped(apart.view().transpose(last, last + 1), x.shape());
}

// One sequence, [heads, tokens, width].
Tensor rotate(const Node& node, const TensorView& x, std::size_t sequence) {
  const bool adjacent = node.attribute("interleaved", std::int64_t{0}) != 0;
  const Tensor cosines = table_of(node, 1, sequence);
  const Tensor sines = table_of(node, 2, sequence);
  const std::size_t width = x.shape()[2];
  const std::size_t turned = 2 * cosines.shape()[1];
  Tensor part = x.slice(2, 0, turned).materialize();
  if (!adjacent) part = regrouped(part, true);
  part = rotary_pairs(part, cosines, sines, 0, node.context());
  if (!adjacent) part = regrouped(part, false);
  return concat({part, x.slice(2, turned, width)}, 2, node.context());
}

}  // namespace

std::optional<Outputs> run_rotary(const Node& node) {
  if (node.op() != "RotaryEmbedding") return std::nullopt;
  Tensor x = node.input(0);
  const Shape shape = x.shape();
  const bool joined = shape.rank() == 3;  // [batch, tokens, heads * width]
  if (joined) {
    const std::size_t heads =
        axis_of(node.attribute("num_heads", std::int64_t{1}), 0);
    x = x.reshape({shape[0], shape[1], heads, shape[2] / heads})
            .view()
            .transpose(1, 2)
            .materialize();
  }
  std::vector<TensorView> sequences;
  for (std::size_t b = 0; b < shape[0]; ++b) {
    const TensorView sequence = x.view().slice(0, b, b + 1).squeeze(0);
    sequences.push_back(TensorView(rotate(node, sequence, b)).unsqueeze(0));
  }
  Tensor result = concat(sequences, 0, node.context());
  if (joined) result = reshaped(result.view().transpose(1, 2), shape);
  return Outputs{result};
}

}  // namespace tandem::test::onnx
