// Products and reductions, each beside its reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/execution/functions.h>

namespace tandem::autograd {
namespace {

using Operands = std::span<const TensorView>;

// A product of the reverse: run where the pass runs, named for reports, then
// summed over the batches that the operand was repeated for.
TensorView reverse_product(const ReverseCall& call, Pass pass,
                           const TensorView& left, const TensorView& right,
                           bool transpose_left, bool transpose_right,
                           const Shape& shape) {
  const Tensor product =
      call.execution.at(call.execution.scope(), pass)
          .matmul_with_transpose(left, right, transpose_left, transpose_right);
  if (product.shape() == shape) return product;
  return sum_to(product, shape, call.execution);
}

// Y = A B has dA = G B^T and dB = A^T G; where an operand was given transposed,
// so is its derivative.
Contributions matmul_reverse(const ReverseCall& call, bool transpose_left,
                             bool transpose_right) {
  const TensorView& a = call.operands[0];
  const TensorView& b = call.operands[1];
  const TensorView& g = call.upstream;
  Contributions contributions(2);
  if (call.needed[0]) {
    contributions[0] =
        transpose_left ? reverse_product(call, Pass::reverse_left, b, g,
                                         transpose_right, true, a.shape())
                       : reverse_product(call, Pass::reverse_left, g, b, false,
                                         !transpose_right, a.shape());
  }
  if (call.needed[1]) {
    contributions[1] = transpose_right
                           ? reverse_product(call, Pass::reverse_right, g, a,
                                             true, transpose_left, b.shape())
                           : reverse_product(call, Pass::reverse_right, a, g,
                                             !transpose_left, false, b.shape());
  }
  return contributions;
}

// The upstream gradient, repeated along the axis that was reduced.
TensorView repeat_along(const TensorView& upstream, std::size_t axis,
                        bool keep_dim, const Shape& shape) {
  return (keep_dim ? upstream : upstream.unsqueeze(axis)).broadcast_to(shape);
}

Variable flatten(const Variable& x, const Context& context) {
  return reshape(x, {x.view().size()}, context);
}

}  // namespace

Variable matmul(const Variable& left, const Variable& right,
                const Context& context) {
  return matmul_with_transpose(left, right, false, false, context);
}

Variable matmul_with_transpose(const Variable& left, const Variable& right,
                               bool transpose_left, bool transpose_right,
                               const Context& context) {
  return apply(
      "matmul", {left, right},
      [=](Operands in, const ExecutionContext& execution) {
        return TensorView(execution.matmul_with_transpose(
            in[0], in[1], transpose_left, transpose_right));
      },
      [=](const ReverseCall& call) {
        return matmul_reverse(call, transpose_left, transpose_right);
      },
      context);
}

Variable sum_axis(const Variable& x, std::size_t axis, bool keep_dim,
                  const Context& context) {
  return apply(
      "sum_axis", {x},
      [=](Operands in, const ExecutionContext& execution) {
        return TensorView(execution.sum_axis(in[0], axis, keep_dim));
      },
      [=](const ReverseCall& call) {
        return Contributions{repeat_along(call.upstream, axis, keep_dim,
                                          call.operands[0].shape())};
      },
      context);
}

Variable mean_axis(const Variable& x, std::size_t axis, bool keep_dim,
                   const Context& context) {
  return apply(
      "mean_axis", {x},
      [=](Operands in, const ExecutionContext& execution) {
        return TensorView(execution.mean_axis(in[0], axis, keep_dim));
      },
      [=](const ReverseCall& call) {
        const Shape& shape = call.operands[0].shape();
        const Tensor share = tandem::div(
            call.upstream, static_cast<double>(shape[axis]), call.execution);
        return Contributions{repeat_along(share, axis, keep_dim, shape)};
      },
      context);
}

Variable sum(const Variable& x, const Context& context) {
  return sum_axis(flatten(x, context), 0, false, context);
}

Variable mean(const Variable& x, const Context& context) {
  return mean_axis(flatten(x, context), 0, false, context);
}

}  // namespace tandem::autograd
