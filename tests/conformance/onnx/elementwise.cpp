// Functions element by element, and conversions between number formats.
#include <tandem/tensor/float16.h>

#include <map>

#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

using Unary = Tensor (*)(const TensorView&, const ExecutionContext&);
using Binary = Tensor (*)(const TensorView&, const TensorView&,
                          const ExecutionContext&);

const std::map<std::string, Unary>& unary_functions() {
  static const std::map<std::string, Unary> functions = {
      {"Abs", tandem::abs},   {"Cos", tandem::cos},
      {"Exp", tandem::exp},   {"Log", tandem::log},
      {"Neg", tandem::neg},   {"Relu", tandem::relu},
      {"Sin", tandem::sin},   {"Sigmoid", tandem::sigmoid},
      {"Sqrt", tandem::sqrt}, {"Tanh", tandem::tanh}};
  return functions;
}

const std::map<std::string, Binary>& binary_functions() {
  static const std::map<std::string, Binary> functions = {{"Add", tandem::add},
                                                          {"Div", tandem::div},
                                                          {"Mul", tandem::mul},
                                                          {"Pow", tandem::pow},
                                                          {"Sub", tandem::sub}};
  return functions;
}

// The left fold of a function of two over all inputs.
Tensor fold(const Node& node, Binary function) {
  Tensor result = node.input(0);
  for (std::size_t i = 1; i < node.inputs(); ++i) {
    result = function(result, node.input(i), node.context());
  }
  return result;
}

Tensor swish(const Node& node) {
  const Tensor x = node.input(0);
  const double alpha = node.attribute("alpha", 1.0);
  if (alpha == 1.0) return silu(x, node.context());
  const Tensor gate = sigmoid(mul(x, alpha, node.context()), node.context());
  return mul(x, gate, node.context());
}

Tensor cast(const Node& node) {
  constexpr std::int64_t to_f16 = 10;
  constexpr std::int64_t to_f64 = 11;
  constexpr std::int64_t to_bf16 = 16;
  const Tensor x = node.input(0);
  const std::int64_t to = node.attribute("to", std::int64_t{0});
  if (to == to_f64) return x;  // f32 values are f64 values
  if (to != to_f16 && to != to_bf16) {
    throw Unsupported("Cast to type " + std::to_string(to));
  }
  std::vector<double> values(x.values().begin(), x.values().end());
  for (double& value : values) {
    value = to == to_f16 ? Float16::from_double(value).to_double()
                         : Bfloat16::from_double(value).to_double();
  }
  return Tensor(x.shape(), values);
}

}  // namespace

std::optional<Outputs> run_elementwise(const Node& node) {
  const std::string op = node.op();
  const ExecutionContext& context = node.context();
  if (const auto found = unary_functions().find(op);
      found != unary_functions().end()) {
    return Outputs{found->second(node.input(0), context)};
  }
  if (const auto found = binary_functions().find(op);
      found != binary_functions().end()) {
    return Outputs{found->second(node.input(0), node.input(1), context)};
  }
  if (op == "Swish") return Outputs{swish(node)};
  if (op == "SwiGLU") {
    const Tensor gate = silu(node.input(0), context);
    return Outputs{mul(gate, node.input(1), context)};
  }
  if (op == "Sum") return Outputs{fold(node, tandem::add)};
  if (op == "Max") return Outputs{fold(node, tandem::maximum)};
  if (op == "Min") return Outputs{fold(node, tandem::minimum)};
  if (op == "Mean") {
    const auto count = static_cast<double>(node.inputs());
    return Outputs{div(fold(node, tandem::add), count, context)};
  }
  if (op == "Cast") return Outputs{cast(node)};
  return std::nullopt;
}

}  // namespace tandem::test::onnx
