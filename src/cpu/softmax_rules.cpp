// Softmax, its logarithm and its causal form, forward and reverse.
#include <cmath>
#include <limits>

#include "cpu/loop_nest.h"
#include "cpu/rules.h"
#include "cpu/scalar_functions.h"
#include "cpu/softmax_row.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

using In = Row<const double>;
using Out = Row<double>;

void softmax(In x, Out out, std::size_t count) {
  const auto [maximum, tail] = summarize(x, count);
  // Nothing but minus infinity: every key is masked, and gets no weight.
  const bool masked = maximum == -std::numeric_limits<double>::infinity();
  const double denominator = 1.0 + tail;
  for (std::size_t i = 0; i < count; ++i) {
    out[i] =
        masked ? 0.0 : positive_zero(std::exp(x[i] - maximum) / denominator);
  }
}

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

void fill_zero(Out out, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) out[i] = 0.0;
}

// Calls row(inputs, output, index) for each row of the plan, in order.
template <std::size_t N, class RowFunction>
Tensor for_each_row(const SoftmaxPlan& plan, Operands operands,
                    RowFunction function) {
  const std::size_t axis = plan.axis();
  const Shape& shape = plan.output_shape();
  TensorBuilder builder(shape);
  std::array<Strides, N + 1> strides;
  std::array<std::ptrdiff_t, N + 1> steps;
  for (std::size_t i = 0; i <= N; ++i) {
    strides[i] =
        i < N ? operands[i].strides() : row_major_strides(shape, plan.name());
    steps[i] = strides[i][axis];
    strides[i].erase(axis);
  }
  std::array<const Strides*, N + 1> row_strides;
  for (std::size_t i = 0; i <= N; ++i) row_strides[i] = &strides[i];

  std::size_t index = 0;
  const LoopNest<N + 1> rows(shape.without_axis(axis), row_strides);
  rows.run([&](auto offsets, std::size_t count, const auto& jumps) {
    for (std::size_t row = 0; row < count; ++row) {
      std::array<In, N> in;
      for (std::size_t i = 0; i < N; ++i) {
        in[i] = {StorageAccess::origin(operands[i]) + offsets[i], steps[i]};
      }
      function(in, Out{builder.values() + offsets[N], steps[N]}, index++);
      for (std::size_t i = 0; i <= N; ++i) offsets[i] += jumps[i];
    }
  });
  return builder.finish();
}

Tensor apply_forward(const SoftmaxPlan& plan, Operands operands) {
  const std::size_t count = plan.output_shape()[plan.axis()];
  return for_each_row<1>(
      plan, operands, [&](const auto& in, Out out, std::size_t index) {
        if (plan.function() == Softmax::log_softmax) {
          log_softmax(in[0], out, count);
          return;
        }
        // Row `index` is query index mod keys of its matrix.
        const std::size_t keys = plan.is_causal() ? index % count + 1 : count;
        softmax(in[0], out, keys);
        fill_zero(out, keys, count);
      });
}

Tensor apply_reverse(const SoftmaxPlan& plan, Operands operands) {
  const std::size_t count = plan.output_shape()[plan.axis()];
  return for_each_row<2>(
      plan, operands, [&](const auto& in, Out out, std::size_t index) {
        if (plan.function() == Softmax::log_softmax_reverse) {
          log_softmax_reverse(in[0], in[1], out, count);
          return;
        }
        const std::size_t keys = plan.is_causal() ? index % count + 1 : count;
        softmax_reverse(in[0], in[1], out, keys);
        fill_zero(out, keys, count);
      });
}

}  // namespace

Tensor apply(const SoftmaxPlan& plan, Operands operands, const Choice&) {
  return operands.size() == 1 ? apply_forward(plan, operands)
                              : apply_reverse(plan, operands);
}

}  // namespace tandem::cpu
