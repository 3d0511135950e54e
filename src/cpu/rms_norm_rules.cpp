// RMSNorm's rows, forward and reverse: operation for operation what the
// functions it stands for would compute, in one walk.
#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/rules.h"
#include "cpu/thread_pool.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

// Rows a task is worth waking a thread for hold about this many elements.
constexpr std::size_t grain = 16384;

template <class RowFunction>
void for_each_row(std::size_t rows, std::size_t width, const Choice& choice,
                  const RowFunction& function) {
  parallel_chunks(rows, std::max<std::size_t>(1, grain / width),
                  static_cast<unsigned>(choice.threads),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t row = begin; row < end; ++row) {
                      function(row);
                    }
                  });
}

double inverse_root(double stable) { return std::exp(std::log(stable) * -0.5); }

void scale_row(const double* x, double inverse, const double* gain,
               std::size_t width, double* out) {
  for (std::size_t i = 0; i < width; ++i) out[i] = (x[i] * inverse) * gain[i];
}

// What flows to x by its scaling, and to either factor of its square.
void reverse_row(const double* x, double stable, const double* gain,
                 const double* g, std::size_t width, double* to_scaled,
                 double* to_factor) {
  const double inverse = inverse_root(stable);
  double to_inverse = 0.0;
  for (std::size_t i = 0; i < width; ++i) {
    const double scaled = g[i] * gain[i];
    to_inverse += scaled * x[i];
    to_scaled[i] = scaled * inverse;
  }
  const double to_stable = ((to_inverse * inverse) * -0.5) / stable;
  const double share = to_stable / static_cast<double>(width);
  for (std::size_t i = 0; i < width; ++i) to_factor[i] = share * x[i];
}

// The gain is used by every row: its shares are added row after row.
void reverse_gain(const double* x, const double* means, double epsilon,
                  const double* g, std::size_t rows, std::size_t width,
                  double* to_gain) {
  std::fill_n(to_gain, width, 0.0);
  for (std::size_t row = 0; row < rows; ++row, x += width, g += width) {
    const double inverse = inverse_root(means[row] + epsilon);
    for (std::size_t i = 0; i < width; ++i) {
      to_gain[i] += g[i] * (x[i] * inverse);
    }
  }
}

Tensor apply_scale(const RmsNormPlan& plan, const double* x,
                   const double* means, const double* gain,
                   const Choice& choice) {
  const std::size_t width = plan.width();
  TensorBuilder builder(plan.output_shape());
  double* const out = builder.values();
  for_each_row(plan.count() / width, width, choice, [&](std::size_t row) {
    scale_row(x + row * width, inverse_root(means[row] + plan.epsilon()), gain,
              width, out + row * width);
  });
  return builder.finish();
}

Tensor apply_reverse(const RmsNormPlan& plan, const double* x,
                     const double* means, const double* gain, const double* g,
                     const Choice& choice) {
  const std::size_t width = plan.width();
  const std::size_t rows = plan.count() / width;
  TensorBuilder builder(plan.output_shape());
  double* const to_scaled = builder.values();
  double* const to_factor = to_scaled + plan.count();
  for_each_row(rows, width, choice, [&](std::size_t row) {
    const std::size_t at = row * width;
    reverse_row(x + at, means[row] + plan.epsilon(), gain, g + at, width,
                to_scaled + at, to_factor + at);
  });
  reverse_gain(x, means, plan.epsilon(), g, rows, width,
               to_factor + plan.count());
  return builder.finish();
}

}  // namespace

Tensor apply(const RmsNormPlan& plan, Operands operands, const Choice& choice) {
  // Packed already wherever a model uses it.
  std::vector<Tensor> packed;
  for (const TensorView& operand : operands) {
    packed.push_back(operand.materialize());
  }
  const auto values = [&](std::size_t i) { return packed[i].values().data(); };
  return plan.pass() == RmsNormPass::scale
             ? apply_scale(plan, values(0), values(1), values(2), choice)
             : apply_reverse(plan, values(0), values(1), values(2), values(3),
                             choice);
}

}  // namespace tandem::cpu
