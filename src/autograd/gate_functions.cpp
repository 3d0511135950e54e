// SwiGLU's gate as one function, beside its reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>

#include <array>

namespace tandem::autograd {
namespace {

using Operands = std::span<const TensorView>;

Contributions reverse(const ReverseCall& call) {
  const std::array operands{call.operands[0], call.operands[1], call.upstream};
  const TensorView parts = call.execution.run(
      SwigluPlan::make(SwigluPass::reverse, operands), operands);
  const Shape& shape = call.upstream.shape();
  const std::size_t count = call.upstream.size();
  return {parts.slice(0, 0, count).reshape(shape),
          parts.slice(0, count, 2 * count).reshape(shape)};
}

}  // namespace

Variable swiglu(const Variable& gate, const Variable& up,
                const Context& context) {
  return apply(
      "swiglu", {gate, up},
      [](Operands in, const ExecutionContext& execution) {
        return TensorView(
            execution.run(SwigluPlan::make(SwigluPass::forward, in), in));
      },
      reverse, context);
}

}  // namespace tandem::autograd
