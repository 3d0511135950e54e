#include "cpu/cached_attention.h"

#include <cmath>

#include "cpu/kernel_choice.h"
#include "cpu/scalar_functions.h"

namespace tandem::cpu {

// As summarize() and softmax do it, but each exponential is taken once.
void softmax_in_place(double* values, std::size_t count) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (values[i] > values[first]) first = i;
  }
  const double maximum = values[first];
  double tail = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = std::exp(values[i] - maximum);
    if (i != first) tail += values[i];
  }
  const double denominator = 1.0 + tail;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = positive_zero(values[i] / denominator);
  }
}

void attend(const CachedQuery& query) {
  const KernelSet<double>& kernels = best_kernels();
  kernels.sum_rows({query.width, query.query, query.key_rows,
                    static_cast<std::ptrdiff_t>(query.width), query.keys,
                    query.weights});
  for (std::size_t i = 0; i < query.keys; ++i) query.weights[i] *= query.scale;
  softmax_in_place(query.weights, query.keys);
  kernels.sum_rows({query.keys, query.weights, query.value_rows,
                    static_cast<std::ptrdiff_t>(query.value_stride),
                    query.width, query.output});
}

}  // namespace tandem::cpu
