// Reductions over one or more axes.
#include <algorithm>
#include <functional>
#include <map>

#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

using Reduce = std::function<Tensor(const TensorView&, std::size_t, bool,
                                    const ExecutionContext&)>;
using Axes = std::vector<std::size_t>;

// All axes where none is named; descending, so that one may go after another.
Axes axes_of(const Node& node, std::size_t rank) {
  Axes axes;
  if (node.has(1)) {
    for (const std::int64_t axis : node.integers(1)) {
      axes.push_back(axis_of(axis, rank));
    }
  }
  if (axes.empty() &&
      node.attribute("noop_with_empty_axes", std::int64_t{0}) == 0) {
    for (std::size_t axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  std::sort(axes.rbegin(), axes.rend());
  return axes;
}

Tensor reduce(Tensor x, const Axes& axes, bool keep, const Reduce& function,
              const ExecutionContext& context) {
  for (const std::size_t axis : axes) x = function(x, axis, keep, context);
  return x;
}

Tensor log_sum_exp(const Tensor& x, const Axes& axes, bool keep,
                   const ExecutionContext& context) {
  const Tensor maximum = reduce(x, axes, true, max_axis, context);
  const Tensor shifted = exp(sub(x, maximum, context), context);
  const Tensor sum = reduce(shifted, axes, true, sum_axis, context);
  TensorView result = add(log(sum, context), maximum, context);
  for (const std::size_t axis : axes) {
    if (!keep) result = result.squeeze(axis);
  }
  return result.materialize();
}

}  // namespace

std::optional<Outputs> run_reduction(const Node& node) {
  static const std::map<std::string, Reduce> reductions = {
      {"ReduceSum", sum_axis},
      {"ReduceSumSquare", sum_axis},
      {"ReduceMean", mean_axis},
      {"ReduceMax", max_axis}};
  const std::string op = node.op();
  const ExecutionContext& context = node.context();
  const auto found = reductions.find(op);
  if (found == reductions.end() && op != "ReduceLogSumExp") return std::nullopt;
  Tensor x = node.input(0);
  const Axes axes = axes_of(node, x.rank());
  const bool keep = node.attribute("keepdims", std::int64_t{1}) != 0;
  if (op == "ReduceLogSumExp") {
    return Outputs{log_sum_exp(x, axes, keep, context)};
  }
  if (op == "ReduceSumSquare") x = mul(x, x, context);
  return Outputs{reduce(x, axes, keep, found->second, context)};
}

}  // namespace tandem::test::onnx
