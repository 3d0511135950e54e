// Softmax and the two norms.
#include <functional>
#include <numeric>

#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

// Over the axes from `axis` on, which are kept with extent 1.
Tensor mean_from(const Tensor& x, std::size_t axis,
                 const ExecutionContext& context) {
  const auto middle = static_cast<std::ptrdiff_t>(axis);
  std::vector<std::size_t> kept(x.shape().begin(), x.shape().begin() + middle);
  const std::size_t rows = std::accumulate(kept.begin(), kept.end(),
                                           std::size_t{1}, std::multiplies<>());
  kept.resize(x.rank(), 1);
  const Tensor flat = x.reshape({rows, x.size() / rows});
  return mean_axis(flat, 1, true, context).reshape(Shape(kept));
}

// 1 / sqrt(mean(x x) + epsilon)
Tensor inverse_deviation(const Tensor& x, std::size_t axis, double epsilon,
                         const ExecutionContext& context) {
  const Tensor variance = mean_from(mul(x, x, context), axis, context);
  return div(1.0, sqrt(add(variance, epsilon, context), context), context);
}

struct NormAttributes {
  explicit NormAttributes(const Node& node)
      : axis(axis_of(node.attribute("axis", std::int64_t{-1}),
                     node.input_shape(0).rank())),
        epsilon(node.attribute("epsilon", 1e-5)) {}
  std::size_t axis;
  double epsilon;
};

Outputs rms_normalization(const Node& node) {
  const NormAttributes norm(node);
  const ExecutionContext& context = node.context();
  const Tensor x = node.input(0);
  const Tensor inverse = inverse_deviation(x, norm.axis, norm.epsilon, context);
  return {mul(mul(x, inverse, context), node.input(1), context)};
}

Outputs layer_normalization(const Node& node) {
  const NormAttributes norm(node);
  const ExecutionContext& context = node.context();
  const Tensor x = node.input(0);
  const Tensor mean = mean_from(x, norm.axis, context);
  const Tensor centred = sub(x, mean, context);
  const Tensor inverse =
      inverse_deviation(centred, norm.axis, norm.epsilon, context);
  Tensor y = mul(mul(centred, inverse, context), node.input(1), context);
  if (node.has(2)) y = add(y, node.input(2), context);
  return {y, mean, inverse};
}

}  // namespace

std::optional<Outputs> run_normalization(const Node& node) {
  const std::string op = node.op();
  if (op == "RMSNormalization") return rms_normalization(node);
  if (op == "LayerNormalization") return layer_normalization(node);
  if (op != "Softmax" && op != "LogSoftmax") return std::nullopt;
  const Tensor x = node.input(0);
  const std::size_t axis =
      axis_of(node.attribute("axis", std::int64_t{-1}), x.rank());
  return Outputs{op == "Softmax" ? softmax(x, axis, node.context())
                                 : log_softmax(x, axis, node.context())};
}

}  // namespace tandem::test::onnx
