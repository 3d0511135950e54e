// SwiGLU's gate, forward and reverse: operation for operation what the
// functions it stands for would compute, in one walk. Only the sign of a zero
// that flows back may differ, which no sum from zeros keeps.
#include <array>

#include "cpu/rules.h"
#include "cpu/scalar_functions.h"
#include "cpu/thread_pool.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

// Elements a task is worth waking a thread for.
constexpr std::size_t grain = 4096;

Tensor apply_forward(const SwigluPlan& plan, const double* gate,
                     const double* up, unsigned threads) {
  TensorBuilder builder(plan.output_shape());
  double* const out = builder.values();
  parallel_chunks(plan.count(), grain, threads,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      out[i] = silu(gate[i]) * up[i];
                    }
                  });
  return builder.finish();
}

Tensor apply_reverse(const SwigluPlan& plan, const double* gate,
                     const double* up, const double* g, unsigned threads) {
  TensorBuilder builder(plan.output_shape());
  double* const to_gate = builder.values();
  double* const to_up = to_gate + plan.count();
  parallel_chunks(
      plan.count(), grain, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const SwigluReverse to = swiglu_reverse(gate[i], up[i], g[i]);
          to_gate[i] = to.gate;
          to_up[i] = to.up;
        }
      });
  return builder.finish();
}

}  // namespace

Tensor apply(const SwigluPlan& plan, Operands operands, const Choice& choice) {
  // Packed already wherever a model uses it.
  std::array<Tensor, 3> packed;
  std::array<const double*, 3> values{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    packed[i] = operands[i].materialize();
    values[i] = packed[i].values().data();
  }
  const auto threads = static_cast<unsigned>(choice.threads);
  return plan.pass() == SwigluPass::forward
             ? apply_forward(plan, values[0], values[1], threads)
             : apply_reverse(plan, values[0], values[1], values[2], threads);
}

}  // namespace tandem::cpu
