#include "cpu/kernel_choice.h"

#include <array>
#include <cstddef>

namespace tandem::cpu {
namespace {

#if defined(__x86_64__)
// The compiler's test asks the operating system too: it must save the wider
// registers.
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#endif

// Those of the sets, given the widest first, that this CPU can run.
template <class Scalar>
struct Supported {
  std::array<const KernelSet<Scalar>*, 3> sets{};
  std::size_t count = 0;

  void add(const KernelSet<Scalar>& set) { sets[count++] = &set; }
  std::span<const KernelSet<Scalar>* const> view() const {
    return {sets.data(), count};
  }
};

}  // namespace

template <>
std::span<const KernelSet<double>* const> supported_kernels() {
  static const Supported<double> supported = [] {
    Supported<double> found;
#if defined(__x86_64__)
    if (has_avx512()) found.add(avx512_kernels);
    if (has_avx2()) found.add(avx2_kernels);
#endif
    found.add(baseline_kernels);
    return found;
  }();
  return supported.view();
}

template <>
std::span<const KernelSet<float>* const> supported_kernels() {
  static const Supported<float> supported = [] {
    Supported<float> found;
#if defined(__x86_64__)
    if (has_avx512()) found.add(avx512_float_kernels);
    if (has_avx2()) found.add(avx2_float_kernels);
#endif
    found.add(baseline_float_kernels);
    return found;
  }();
  return supported.view();
}

}  // namespace tandem::cpu
