// apply: the one way a differentiable function joins the graph, for ours and
// for a user's own.
#pragma once

#include <tandem/autograd/context.h>
#include <tandem/autograd/variable.h>
#include <tandem/execution/context.h>
#include <tandem/export.h>
#include <tandem/tensor/view.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tandem::autograd {

/// What the reverse of a function is given.
struct ReverseCall {
  /// The derivative of the pass's output with respect to this output.
  TensorView upstream;
  /// The operands and the output, as they were in the forward pass.
  std::span<const TensorView> operands;
  TensorView output;
  /// Where to run; carries the precision of the forward product.
  ExecutionContext execution;
  /// One for each operand: whether its contribution will be used.
  std::vector<bool> needed;
};

/// One for each operand, of its shape; nullopt where not needed or zero.
using Contributions = std::vector<std::optional<TensorView>>;

/// Computes the output from the operands.
using Forward = std::function<TensorView(std::span<const TensorView> operands,
                                         const ExecutionContext& execution)>;
/// Computes the contribution to each operand's derivative. It must hold no
/// operand or output of its own: they are given to it.
using Reverse = std::function<Contributions(const ReverseCall& call)>;

/// Runs `forward` and, where the context records and an operand is tracked,
/// remembers `reverse`. `name` (a literal) appears in errors. Throws
/// NonfiniteError where the output is not finite, GraphError where `reverse` is
/// to be remembered and empty.
TANDEM_API Variable apply(const char* name,
                          const std::vector<Variable>& operands,
                          const Forward& forward, Reverse reverse,
                          const Context& context = {});

}  // namespace tandem::autograd
