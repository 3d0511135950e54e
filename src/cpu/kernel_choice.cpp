#include "cpu/kernel_choice.h"

#include <array>
#include <cstddef>

namespace tandem::cpu {
namespace {

struct Supported {
  std::array<const KernelSet<double>*, 3> sets{};
  std::size_t count = 0;

  Supported() {
#if defined(__x86_64__)
    // The compiler's test asks the operating system too: it must save the
    // wider registers.
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      sets[count++] = &avx512_kernels;
    }
    if (__builtin_cpu_supports("avx2")) sets[count++] = &avx2_kernels;
#endif
    sets[count++] = &baseline_kernels;
  }
};

}  // namespace

std::span<const KernelSet<double>* const> supported_kernels() {
  static const Supported supported;
  return {supported.sets.data(), supported.count};
}

const KernelSet<double>& best_kernels() { return *supported_kernels().front(); }

}  // namespace tandem::cpu
