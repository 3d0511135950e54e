// The same values under another shape or order of axes, each beside its
// reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/execution/functions.h>

namespace tandem::autograd {
namespace {

using Operands = std::span<const TensorView>;

// A function of one operand that moves no value: both ways are views.
template <class View, class Undo>
Variable rearrange(const char* name, const Variable& x, View view, Undo undo,
                   const Context& context) {
  return apply(
      name, {x},
      [view](Operands in, const ExecutionContext&) { return view(in[0]); },
      [undo](const ReverseCall& call) {
        return Contributions{TensorView(undo(call))};
      },
      context);
}

std::vector<std::size_t> inverse(const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> result(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) result[axes[i]] = i;
  return result;
}

}  // namespace

Variable reshape(const Variable& x, const Shape& shape,
                 const Context& context) {
  return rearrange(
      "reshape", x,
      // A view that is not packed is packed first, as its user would.
      [&shape](const TensorView& in) {
        return in.is_contiguous() ? in.reshape(shape)
                                  : in.materialize().view().reshape(shape);
      },
      [](const ReverseCall& call) {
        return call.upstream.reshape(call.operands[0].shape());
      },
      context);
}

Variable transpose(const Variable& x, std::size_t a, std::size_t b,
                   const Context& context) {
  return rearrange(
      "transpose", x,
      [a, b](const TensorView& in) { return in.transpose(a, b); },
      [a, b](const ReverseCall& call) { return call.upstream.transpose(a, b); },
      context);
}

Variable permute(const Variable& x, const std::vector<std::size_t>& axes,
                 const Context& context) {
  return rearrange(
      "permute", x, [&axes](const TensorView& in) { return in.permute(axes); },
      [axes](const ReverseCall& call) {
        return call.upstream.permute(inverse(axes));
      },
      context);
}

Variable broadcast_to(const Variable& x, const Shape& shape,
                      const Context& context) {
  return rearrange(
      "broadcast_to", x,
      [&shape](const TensorView& in) { return in.broadcast_to(shape); },
      [](const ReverseCall& call) {
        return sum_to(call.upstream, call.operands[0].shape(), call.execution);
      },
      context);
}

Variable slice(const Variable& x, std::size_t axis, std::size_t start,
               std::size_t end, const Context& context) {
  return rearrange(
      "slice", x,
      [=](const TensorView& in) { return in.slice(axis, start, end); },
      [=](const ReverseCall& call) {
        // Zeros stand where nothing was taken from.
        const Shape& shape = call.operands[0].shape();
        return tandem::concat(
            {Tensor::zeros(shape.with_extent(axis, start)), call.upstream,
             Tensor::zeros(shape.with_extent(axis, shape[axis] - end))},
            axis, call.execution);
      },
      context);
}

Variable concat(const std::vector<Variable>& operands, std::size_t axis,
                const Context& context) {
  return apply(
      "concat", operands,
      [axis](Operands in, const ExecutionContext& execution) {
        return TensorView(
            tandem::concat({in.begin(), in.end()}, axis, execution));
      },
      [axis](const ReverseCall& call) {
        Contributions contributions;
        std::size_t start = 0;
        for (const TensorView& operand : call.operands) {
          const std::size_t end = start + operand.shape()[axis];
          contributions.push_back(call.upstream.slice(axis, start, end));
          start = end;
        }
        return contributions;
      },
      context);
}

}  // namespace tandem::autograd
