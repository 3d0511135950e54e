// Softmax, its logarithm and its causal form, forward and reverse.
#include <algorithm>
#include <array>
#include <cmath>

#include "cpu/loop_nest.h"
#include "cpu/rules.h"
#include "cpu/scalar_functions.h"
#include "cpu/softmax_row.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

using In = Row<const double>;
using Out = Row<double>;

void log_softmax(In x, Out out, std::size_t count) {
  const auto [maximum, tail] = summarize(x, count);
  const double log_denominator = std::log1p(tail);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = (x[i] - maximum) - log_denominator;
  }
}

void softmax_reverse(In p, In g, Out out, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += g[i] * p[i];
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = positive_zero(p[i] * (g[i] - sum));
  }
}

void log_softmax_reverse(In y, In g, Out out, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += g[i];
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = g[i] - std::exp(y[i]) * sum;
  }
}

void multiply(In x, double factor, Out out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = x[i] * factor;
}

// Rows a task is worth waking a thread for hold about this many elements.
constexpr std::size_t grain = 4096;

// Calls function(inputs, output, keys) for each row of the plan; a causal row
// has only its first `keys` elements.
template <std::size_t N, class RowFunction>
Tensor for_each_row(const SoftmaxPlan& plan, Operands operands,
                    std::size_t threads, const RowFunction& function) {
  const std::size_t axis = plan.axis();
  const Shape& shape = plan.output_shape();
  const std::size_t length = shape[axis];
  TensorBuilder builder(shape);
  std::array<Strides, N + 1> strides;
  std::array<std::ptrdiff_t, N + 1> steps;
  std::array<const Strides*, N + 1> row_strides;
  for (std::size_t i = 0; i <= N; ++i) {
    strides[i] =
        i < N ? operands[i].strides() : row_major_strides(shape, plan.name());
    steps[i] = strides[i][axis];
    strides[i].erase(axis);
    row_strides[i] = &strides[i];
  }
  const auto apply_to_row = [&](const auto& offsets) {
    std::array<In, N> in;
    for (std::size_t i = 0; i < N; ++i) {
      in[i] = {StorageAccess::origin(operands[i]) + offsets[i], steps[i]};
    }
    // Where rows are causal they lie packed, so their place tells the query.
    const auto row = static_cast<std::size_t>(offsets[N]) / length;
    const std::size_t keys = plan.is_causal() ? row % length + 1 : length;
    const Out out{builder.values() + offsets[N], steps[N]};
    function(in, out, keys);
    for (std::size_t i = keys; i < length; ++i) out[i] = 0.0;
  };
  const LoopNest<N + 1> rows(shape.without_axis(axis), row_strides);
  rows.run_parallel(std::max<std::size_t>(1, grain / length), threads,
                    [&](auto offsets, std::size_t count, const auto& jumps) {
                      for (std::size_t row = 0; row < count; ++row) {
                        apply_to_row(offsets);
                        for (std::size_t i = 0; i <= N; ++i) {
                          offsets[i] += jumps[i];
                        }
                      }
                    });
  return builder.finish();
}

Tensor apply_forward(const SoftmaxPlan& plan, Operands operands,
                     std::size_t threads) {
  const auto rule =
      plan.function() == Softmax::log_softmax ? log_softmax : softmax_row;
  return for_each_row<1>(plan, operands, threads,
                         [&](const auto& in, Out out, std::size_t keys) {
                           if (plan.scale() == 1.0) {
                             return rule(in[0], out, keys);
                           }
                           multiply(in[0], plan.scale(), out, keys);
                           rule({out.first, out.stride}, out, keys);
                         });
}

Tensor apply_reverse(const SoftmaxPlan& plan, Operands operands,
                     std::size_t threads) {
  const auto rule = plan.function() == Softmax::log_softmax_reverse
                        ? log_softmax_reverse
                        : softmax_reverse;
  return for_each_row<2>(
      plan, operands, threads, [&](const auto& in, Out out, std::size_t keys) {
        rule(in[0], in[1], out, keys);
        if (plan.scale() == 1.0) return;
        multiply({out.first, out.stride}, plan.scale(), out, keys);
      });
}

}  // namespace

Tensor apply(const SoftmaxPlan& plan, Operands operands, const Choice& choice) {
  return operands.size() == 1 ? apply_forward(plan, operands, choice.threads)
                              : apply_reverse(plan, operands, choice.threads);
}

}  // namespace tandem::cpu
