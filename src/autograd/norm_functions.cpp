// RMSNorm as one function, beside its reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <array>
#include <cmath>
#include <memory>

namespace tandem::autograd {
namespace {

using Operands = std::span<const TensorView>;

// A mean square that overflowed would scale its row to nothing, silently.
void check_means(const Tensor& means, double epsilon) {
  for (std::size_t row = 0; row < means.size(); ++row) {
    const double mean = means.values()[row];
    if (!std::isfinite(mean)) {
      throw NonfiniteError("rms_norm", row, mean, "mean square");
    }
    if (mean + epsilon == 0.0) {
      throw ModelError("rms_norm: mean square and epsilon are both 0: row " +
                       std::to_string(row));
    }
  }
}

// x is three operands to the graph, the scaled one and the two factors of its
// square, because that is the order in which its contributions are added.
Contributions reverse(const ReverseCall& call, const Tensor& means,
                      double epsilon) {
  const TensorView& x = call.operands[0];
  const std::array operands{x, TensorView(means), call.operands[3],
                            call.upstream};
  const Tensor parts = call.execution.run(
      RmsNormPlan::make(RmsNormPass::reverse, operands, epsilon), operands);
  const std::size_t count = x.size();
  const auto part = [&](std::size_t begin, std::size_t end,
                        const Shape& shape) {
    return parts.view().slice(0, begin, end).reshape(shape);
  };
  const TensorView to_factor = part(count, 2 * count, x.shape());
  return {part(0, count, x.shape()), to_factor, to_factor,
          part(2 * count, parts.size(), call.operands[3].shape())};
}

}  // namespace

Variable rms_norm(const Variable& x, const Variable& gain, double epsilon,
                  const Context& context) {
  const auto means = std::make_shared<Tensor>();
  return apply(
      "rms_norm", {x, x, x, gain},
      [&](Operands in, const ExecutionContext& execution) {
        const TensorView& rows = in[0];
        // A scalar has no last axis; the reduction says so.
        const std::size_t last = rows.rank() == 0 ? 0 : rows.rank() - 1;
        *means =
            execution.mean_axis(tandem::mul(rows, rows, execution), last, true);
        check_means(*means, epsilon);
        const std::array operands{rows, TensorView(*means), in[3]};
        return TensorView(execution.run(
            RmsNormPlan::make(RmsNormPass::scale, operands, epsilon),
            operands));
      },
      [means, epsilon](const ReverseCall& call) {
        return reverse(call, *means, epsilon);
      },
      context);
}

}  // namespace tandem::autograd
