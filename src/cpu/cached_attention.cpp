#include "cpu/cached_attention.h"

#include "cpu/kernel_choice.h"
#include "cpu/softmax_row.h"

namespace tandem::cpu {

void attend(const CachedQuery& query) {
  const KernelSet<double>& kernels = best_kernels();
  kernels.sum_rows({query.width, query.query, query.key_rows,
                    static_cast<std::ptrdiff_t>(query.width), query.keys,
                    query.weights});
  for (std::size_t i = 0; i < query.keys; ++i) query.weights[i] *= query.scale;
  softmax_row({query.weights, 1}, {query.weights, 1}, query.keys);
  kernels.sum_rows({query.keys, query.weights, query.value_rows,
                    static_cast<std::ptrdiff_t>(query.value_stride),
                    query.width, query.output});
}

}  // namespace tandem::cpu
