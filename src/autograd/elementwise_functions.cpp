// Elementwise functions, each beside its reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/execution/functions.h>

#include <utility>

namespace tandem::autograd {
namespace {

using Operands = std::span<const TensorView>;

// `local` gives the contribution, from the upstream gradient to x.
template <class Plain, class Local>
Variable unary(const char* name, const Variable& x, Plain plain, Local local,
               const Context& context) {
  return apply(
      name, {x},
      [plain](Operands in, const ExecutionContext& execution) {
        return TensorView(plain(in[0], execution));
      },
      [local](const ReverseCall& call) {
        return Contributions{TensorView(local(call))};
      },
      context);
}

// The gradient of a broadcast result, for one operand: what broadcasting
// repeated is added up.
TensorView undo_broadcast(const TensorView& gradient, const Shape& shape,
                          const ExecutionContext& execution) {
  if (gradient.shape() == shape) return gradient;
  return sum_to(gradient, shape, execution);
}

// `to_left` and `to_right` give the contributions before broadcasting is
// undone.
template <class Plain, class ToLeft, class ToRight>
Variable binary(const char* name, const Variable& a, const Variable& b,
                Plain plain, ToLeft to_left, ToRight to_right,
                const Context& context) {
  return apply(
      name, {a, b},
      [plain](Operands in, const ExecutionContext& execution) {
        return TensorView(plain(in[0], in[1], execution));
      },
      [to_left, to_right](const ReverseCall& call) {
        const auto finish = [&](std::size_t i, const TensorView& gradient) {
          return undo_broadcast(gradient, call.operands[i].shape(),
                                call.execution);
        };
        Contributions contributions(2);
        if (call.needed[0]) contributions[0] = finish(0, to_left(call));
        if (call.needed[1]) contributions[1] = finish(1, to_right(call));
        return contributions;
      },
      context);
}

TensorView upstream(const ReverseCall& call) { return call.upstream; }

Tensor negated_upstream(const ReverseCall& call) {
  return tandem::neg(call.upstream, call.execution);
}

}  // namespace

Variable add(const Variable& a, const Variable& b, const Context& context) {
  return binary("add", a, b, tandem::add, upstream, upstream, context);
}

Variable sub(const Variable& a, const Variable& b, const Context& context) {
  return binary("sub", a, b, tandem::sub, upstream, negated_upstream, context);
}

Variable mul(const Variable& a, const Variable& b, const Context& context) {
  const auto times = [](std::size_t other) {
    return [other](const ReverseCall& call) {
      return tandem::mul(call.upstream, call.operands[other], call.execution);
    };
  };
  return binary("mul", a, b, tandem::mul, times(1), times(0), context);
}

Variable div(const Variable& a, const Variable& b, const Context& context) {
  const auto to_left = [](const ReverseCall& call) {
    return tandem::div(call.upstream, call.operands[1], call.execution);
  };
  // -g (a/b) / b
  const auto to_right = [](const ReverseCall& call) {
    const Tensor scaled =
        tandem::mul(call.upstream, call.output, call.execution);
    return tandem::neg(tandem::div(scaled, call.operands[1], call.execution),
                       call.execution);
  };
  return binary("div", a, b, tandem::div, to_left, to_right, context);
}

Variable neg(const Variable& x, const Context& context) {
  return unary("neg", x, tandem::neg, negated_upstream, context);
}

Variable exp(const Variable& x, const Context& context) {
  return unary(
      "exp", x, tandem::exp,
      [](const ReverseCall& call) {
        return tandem::mul(call.upstream, call.output, call.execution);
      },
      context);
}

Variable log(const Variable& x, const Context& context) {
  return unary(
      "log", x, tandem::log,
      [](const ReverseCall& call) {
        return tandem::div(call.upstream, call.operands[0], call.execution);
      },
      context);
}

Variable sqrt(const Variable& x, const Context& context) {
  // g / (2 sqrt(x))
  return unary(
      "sqrt", x, tandem::sqrt,
      [](const ReverseCall& call) {
        return tandem::div(call.upstream,
                           tandem::mul(call.output, 2.0, call.execution),
                           call.execution);
      },
      context);
}

Variable tanh(const Variable& x, const Context& context) {
  // g (1 - y y)
  return unary(
      "tanh", x, tandem::tanh,
      [](const ReverseCall& call) {
        const auto& at = call.execution;
        return tandem::mul(
            call.upstream,
            tandem::sub(1.0, tandem::mul(call.output, call.output, at), at),
            at);
      },
      context);
}

Variable sigmoid(const Variable& x, const Context& context) {
  // g (s (1 - s))
  return unary(
      "sigmoid", x, tandem::sigmoid,
      [](const ReverseCall& call) {
        const auto& at = call.execution;
        return tandem::mul(
            call.upstream,
            tandem::mul(call.output, tandem::sub(1.0, call.output, at), at),
            at);
      },
      context);
}

Variable silu(const Variable& x, const Context& context) {
  return unary(
      "silu", x, tandem::silu,
      [](const ReverseCall& call) {
        const auto& in = call.operands[0];
        return call.execution.run(
            ElementwisePlan::make(Elementwise::silu_reverse,
                                  {in, call.upstream}),
            {in, call.upstream});
      },
      context);
}

Variable relu(const Variable& x, const Context& context) {
  return unary(
      "relu", x, tandem::relu,
      [](const ReverseCall& call) {
        const auto& in = call.operands[0];
        return call.execution.run(
            ElementwisePlan::make(Elementwise::relu_reverse,
                                  {in, call.upstream}),
            {in, call.upstream});
      },
      context);
}

Variable operator+(const Variable& a, const Variable& b) { return add(a, b); }

Variable operator-(const Variable& a, const Variable& b) { return sub(a, b); }

Variable operator*(const Variable& a, const Variable& b) { return mul(a, b); }

Variable operator/(const Variable& a, const Variable& b) { return div(a, b); }

Variable operator-(const Variable& x) { return neg(x); }

}  // namespace tandem::autograd
