// Functions of rows: softmax, lookup, rotation and the loss, each beside its
// reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <string>

#include "ops/shared_indices.h"

namespace tandem::autograd {
namespace {

using Operands = std::span<const TensorView>;

Variable softmax_of(const char* name, Softmax forward, Softmax reverse,
                    const Variable& x, std::size_t axis, const Context& context,
                    double scale = 1.0) {
  return apply(
      name, {x},
      [=](Operands in, const ExecutionContext& execution) {
        return TensorView(execution.run(
            SoftmaxPlan::make(forward, {in[0]}, axis, scale), in));
      },
      [=](const ReverseCall& call) {
        return Contributions{TensorView(call.execution.run(
            SoftmaxPlan::make(reverse, {call.output, call.upstream}, axis,
                              scale),
            {call.output, call.upstream}))};
      },
      context);
}

Tensor rotate(const TensorView& x, const Tensor& cosines, const Tensor& sines,
              Rotation rotation, std::size_t first_position,
              const ExecutionContext& execution) {
  return execution.run(
      RotaryPlan::make(x, cosines, sines, rotation, first_position),
      {x, cosines, sines});
}

}  // namespace

Variable softmax(const Variable& x, std::size_t axis, const Context& context) {
  return softmax_of("softmax", Softmax::softmax, Softmax::softmax_reverse, x,
                    axis, context);
}

Variable log_softmax(const Variable& x, std::size_t axis,
                     const Context& context) {
  return softmax_of("log_softmax", Softmax::log_softmax,
                    Softmax::log_softmax_reverse, x, axis, context);
}

Variable causal_softmax(const Variable& scores, const Context& context) {
  return scaled_causal_softmax(scores, 1.0, context);
}

Variable scaled_causal_softmax(const Variable& scores, double scale,
                               const Context& context) {
  if (!(scale > 0.0 && scale <= 1.0)) {
    throw ModelError("scaled_causal_softmax: scale is not in (0, 1]: " +
                     std::to_string(scale));
  }
  const std::size_t rank = scores.shape().rank();
  return softmax_of("causal_softmax", Softmax::causal_softmax,
                    Softmax::causal_softmax_reverse, scores,
                    rank == 0 ? 0 : rank - 1, context, scale);
}

Variable gather_rows(const Variable& table,
                     const std::vector<std::size_t>& indices,
                     const Shape& index_shape, const Context& context) {
  const Indices shared = share(indices);
  return apply(
      "gather_rows", {table},
      [&](Operands in, const ExecutionContext& execution) {
        return TensorView(
            execution.run(GatherPlan::make(in[0], shared, index_shape), in));
      },
      [shared](const ReverseCall& call) {
        return Contributions{TensorView(
            call.execution.run(ScatterPlan::make(call.upstream, shared,
                                                 call.operands[0].shape()[0]),
                               {call.upstream}))};
      },
      context);
}

Variable rotary_pairs(const Variable& x, const Tensor& cosines,
                      const Tensor& sines, std::size_t first_position,
                      const Context& context) {
  return apply(
      "rotary_pairs", {x},
      [&](Operands in, const ExecutionContext& execution) {
        return TensorView(rotate(in[0], cosines, sines, Rotation::forward,
                                 first_position, execution));
      },
      [=](const ReverseCall& call) {
        return Contributions{
            TensorView(rotate(call.upstream, cosines, sines, Rotation::inverse,
                              first_position, call.execution))};
      },
      context);
}

Variable indexed_mean_nll(const Variable& logits, std::size_t axis,
                          const std::vector<std::size_t>& targets,
                          const Context& context) {
  const Indices shared = share(targets);
  return apply(
      "indexed_mean_nll", {logits},
      [&](Operands in, const ExecutionContext& execution) {
        return TensorView(
            execution.run(NllPlan::make(Nll::loss, {in[0]}, axis, shared), in));
      },
      [=](const ReverseCall& call) {
        const TensorView& in = call.operands[0];
        return Contributions{TensorView(call.execution.run(
            NllPlan::make(Nll::reverse, {in, call.upstream}, axis, shared),
            {in, call.upstream}))};
      },
      context);
}

}  // namespace tandem::autograd
