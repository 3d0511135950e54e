// Products, with vectors promoted by views.
#include <algorithm>

#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

Tensor matmul_node(const Node& node) {
  TensorView left = node.input(0);
  TensorView right = node.input(1);
  const bool row = left.rank() == 1;
  const bool column = right.rank() == 1;
  if (row) left = left.unsqueeze(0);
  if (column) right = right.unsqueeze(1);
  TensorView result = matmul(left, right, node.context());
  if (column) result = result.squeeze(result.rank() - 1);
  if (row) result = result.squeeze(result.rank() - (column ? 1 : 2));
  return result.materialize();
}

Tensor gemm(const Node& node) {
  const ExecutionContext& context = node.context();
  const bool transpose_left = node.attribute("transA", std::int64_t{0}) != 0;
  const bool transpose_right = node.attribute("transB", std::int64_t{0}) != 0;
  Tensor y = matmul_with_transpose(node.input(0), node.input(1), transpose_left,
                                   transpose_right, context);
  y = mul(y, node.attribute("alpha", 1.0), context);
  if (!node.has(2)) return y;
  const double beta = node.attribute("beta", 1.0);
  return add(y, mul(node.input(2), beta, context), context);
}

// A matrix that is 1 on its diagonal.
Tensor identity(std::size_t extent) {
  std::vector<double> values(extent * extent, 0.0);
  for (std::size_t i = 0; i < extent; ++i) values[i * (extent + 1)] = 1.0;
  return Tensor({extent, extent}, values);
}

// [..., i, i] -> [..., i]
Tensor diagonal(const Tensor& x, const ExecutionContext& context) {
  const std::size_t last = x.rank() - 1;
  const Tensor kept = where(identity(x.shape()[last]), x, 0.0, context);
  return sum_axis(kept, last, false, context);
}

Tensor einsum(const Node& node) {
  std::string equation = node.attribute("equation", std::string());
  equation.erase(std::remove(equation.begin(), equation.end(), ' '),
                 equation.end());
  const ExecutionContext& context = node.context();
  if (equation == "...ii->...i") return diagonal(node.input(0), context);
  if (equation == "ij->i") return sum_axis(node.input(0), 1, false, context);
  if (equation == "bij,bjk->bik") {
    return matmul(node.input(0), node.input(1), context);
  }
  if (equation == "i,i") {
    const TensorView left = node.input(0);
    const TensorView right = node.input(1);
    return matmul(left.unsqueeze(0), right.unsqueeze(1), context).reshape({});
  }
  throw Unsupported("Einsum " + equation);
}

}  // namespace

std::optional<Outputs> run_product(const Node& node) {
  const std::string op = node.op();
  if (op == "MatMul") return Outputs{matmul_node(node)};
  if (op == "Gemm") return Outputs{gemm(node)};
  if (op == "Einsum") return Outputs{einsum(node)};
  return std::nullopt;
}

}  // namespace tandem::test::onnx
