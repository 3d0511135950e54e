// Functions applied element by element, with broadcasting.
#include <array>
#include <cmath>

#include "cpu/loop_nest.h"
#include "cpu/rules.h"
#include "cpu/scalar_functions.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

template <std::size_t N, class Function, std::size_t... I>
void map_run(const std::array<const double*, N>& in,
             const std::array<std::ptrdiff_t, N + 1>& strides, double* out,
             std::size_t count, Function function, std::index_sequence<I...>) {
  if (((strides[I] == 1) && ...)) {  // the compiler may use vectors here
    for (std::size_t i = 0; i < count; ++i) out[i] = function(in[I][i]...);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = static_cast<std::ptrdiff_t>(i);
    out[i] = function(in[I][step * strides[I]]...);
  }
}

// Elements a task is worth waking a thread for.
constexpr std::size_t grain = 16384;

template <std::size_t N, class Function>
Tensor map(const ElementwisePlan& plan, Operands operands, std::size_t threads,
           Function function) {
  const Strides out_strides =
      row_major_strides(plan.output_shape(), plan.name());
  std::array<const Strides*, N + 1> strides;
  std::array<const double*, N> origins;
  for (std::size_t i = 0; i < N; ++i) {
    strides[i] = &plan.strides(i);
    origins[i] = StorageAccess::origin(operands[i]);
  }
  strides[N] = &out_strides;
  TensorBuilder builder(plan.output_shape());
  double* const out = builder.values();
  const LoopNest<N + 1> elements(plan.output_shape(), strides);
  elements.run_parallel(
      grain, threads,
      [&](const auto& offsets, std::size_t count, const auto& steps) {
        std::array<const double*, N> in;
        for (std::size_t i = 0; i < N; ++i) in[i] = origins[i] + offsets[i];
        map_run<N>(in, steps, out + offsets[N], count, function,
                   std::make_index_sequence<N>());
      });
  return builder.finish();
}

double minimum(double a, double b) { return a < b || std::isnan(a) ? a : b; }

double maximum(double a, double b) { return a > b || std::isnan(a) ? a : b; }

Tensor apply_unary(const ElementwisePlan& plan, Operands operands,
                   std::size_t threads) {
  const auto run = [&](auto function) {
    return map<1>(plan, operands, threads, function);
  };
  switch (plan.function()) {
    case Elementwise::negate:
      return run([](double x) { return -x; });
    case Elementwise::absolute:
      return run([](double x) { return std::fabs(x); });
    case Elementwise::exp:
      return run([](double x) { return std::exp(x); });
    case Elementwise::log:
      return run([](double x) { return std::log(x); });
    case Elementwise::sqrt:
      return run([](double x) { return std::sqrt(x); });
    case Elementwise::sin:
      return run([](double x) { return std::sin(x); });
    case Elementwise::cos:
      return run([](double x) { return std::cos(x); });
    case Elementwise::tanh:
      return run([](double x) { return std::tanh(x); });
    case Elementwise::sigmoid:
      return run(sigmoid);
    case Elementwise::silu:
      return run(silu);
    default:  // relu
      return run([](double x) { return x > 0.0 || std::isnan(x) ? x : 0.0; });
  }
}

Tensor apply_binary(const ElementwisePlan& plan, Operands operands,
                    std::size_t threads) {
  const auto run = [&](auto function) {
    return map<2>(plan, operands, threads, function);
  };
  switch (plan.function()) {
    case Elementwise::add:
      return run([](double a, double b) { return a + b; });
    case Elementwise::subtract:
      return run([](double a, double b) { return a - b; });
    case Elementwise::multiply:
      return run([](double a, double b) { return a * b; });
    case Elementwise::divide:
      return run([](double a, double b) { return a / b; });
    case Elementwise::power:
      return run([](double a, double b) { return std::pow(a, b); });
    case Elementwise::minimum:
      return run(minimum);
    case Elementwise::maximum:
      return run(maximum);
    case Elementwise::silu_reverse:
      return run(silu_reverse);
    default:  // relu_reverse
      return run([](double x, double g) { return x > 0.0 ? g : 0.0; });
  }
}

}  // namespace

Tensor apply(const ElementwisePlan& plan, Operands operands,
             const Choice& choice) {
  switch (plan.operands().size()) {
    case 1:
      return apply_unary(plan, operands, choice.threads);
    case 2:
      return apply_binary(plan, operands, choice.threads);
    default:
      return map<3>(plan, operands, choice.threads,
                    [](double condition, double a, double b) {
                      return condition != 0.0 ? a : b;
                    });
  }
}

}  // namespace tandem::cpu
