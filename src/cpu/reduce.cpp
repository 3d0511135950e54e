#include "cpu/reduce.h"

#include <functional>
#include <numeric>
#include <vector>

#include "cpu/product.h"
#include "cpu/thread_pool.h"

namespace tandem::cpu {
namespace {

constexpr std::size_t quotients_per_task = 32 * 1024;

struct Axes {
  std::vector<std::size_t> extents;
  std::vector<std::ptrdiff_t> strides;
};

// The group axes with each one that continues the next joined to it: fewer and
// longer axes, the same places in the same order.
Axes joined_groups(const Reduction& reduction) {
  Axes axes;
  for (std::size_t i = 0; i < reduction.group_shape.size(); ++i) {
    const std::size_t extent = reduction.group_shape[i];
    const std::ptrdiff_t stride = reduction.group_strides[i];
    if (extent == 1) continue;
    const bool continued =
        !axes.extents.empty() &&
        axes.strides.back() == stride * static_cast<std::ptrdiff_t>(extent);
    if (continued) {
      axes.extents.back() *= extent;
      axes.strides.back() = stride;
    } else {
      axes.extents.push_back(extent);
      axes.strides.push_back(stride);
    }
  }
  return axes;
}

std::size_t group_count(const Reduction& reduction) {
  return std::accumulate(reduction.group_shape.begin(),
                         reduction.group_shape.end(), std::size_t{1},
                         std::multiplies<>());
}

}  // namespace

// A row of ones times the array: 1 * x is x, so the product's sums are ours.
void sum(const Reduction& reduction, unsigned max_threads,
         const KernelSet<double>& kernels) {
  static constexpr double one = 1.0;
  Axes axes = joined_groups(reduction);
  std::size_t columns = 1;
  std::ptrdiff_t column_stride = 0;
  if (!axes.extents.empty()) {
    columns = axes.extents.back();
    column_stride = axes.strides.back();
    axes.extents.pop_back();
    axes.strides.pop_back();
  }
  const std::vector<std::ptrdiff_t> same_one(axes.extents.size(), 0);
  multiply({1,
            columns,
            reduction.extent,
            axes.extents,
            {&one, 0, 0, same_one},
            {reduction.data, reduction.stride, column_stride, axes.strides},
            reduction.output},
           max_threads, kernels);
}

void mean(const Reduction& reduction, unsigned max_threads,
          const KernelSet<double>& kernels) {
  sum(reduction, max_threads, kernels);
  const auto count = static_cast<double>(reduction.extent);
  double* output = reduction.output;
  parallel_chunks(group_count(reduction), quotients_per_task, max_threads,
                  [=](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      output[i] /= count;
                    }
                  });
}

}  // namespace tandem::cpu
