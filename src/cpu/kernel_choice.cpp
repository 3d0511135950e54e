#include "cpu/kernel_choice.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>

namespace tandem::cpu {
namespace {

// Every set of this build, the widest first. A CPU that runs one of them runs
// all that follow it.
#if defined(__x86_64__)
constexpr const KernelSet<double>* sets[] = {&avx512_kernels, &avx2_kernels,
                                             &baseline_kernels};
constexpr const KernelSet<float>* float_sets[] = {
    &avx512_float_kernels, &avx2_float_kernels, &baseline_float_kernels};

// The compiler's test asks the operating system too: it must save the wider
// registers.
std::size_t count_unsupported() {
  if (!__builtin_cpu_supports("avx2")) return 2;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return has_avx512 ? 0 : 1;
}
#else
constexpr const KernelSet<double>* sets[] = {&baseline_kernels};
constexpr const KernelSet<float>* float_sets[] = {&baseline_float_kernels};

std::size_t count_unsupported() { return 0; }
#endif

// How many of the widest sets this CPU lacks.
std::size_t unsupported() {
  static const std::size_t count = count_unsupported();
  return count;
}

// How many of the widest sets limit_kernels() has put aside.
std::atomic<std::size_t> put_aside{0};

std::size_t index_of_best() {
  return std::max(unsupported(), put_aside.load(std::memory_order_relaxed));
}

}  // namespace

template <>
std::span<const KernelSet<double>* const> supported_kernels() {
  return std::span(sets).subspan(unsupported());
}

template <>
std::span<const KernelSet<float>* const> supported_kernels() {
  return std::span(float_sets).subspan(unsupported());
}

template <>
const KernelSet<double>& best_kernels() {
  return *sets[index_of_best()];
}

template <>
const KernelSet<float>& best_kernels() {
  return *float_sets[index_of_best()];
}

KernelLimit limit_kernels(std::string_view name) {
  const auto found =
      std::find_if(std::begin(sets), std::end(sets),
                   [name](const auto* set) { return set->name == name; });
  if (found == std::end(sets)) return KernelLimit::unknown_name;
  const auto index = static_cast<std::size_t>(found - std::begin(sets));
  if (index < unsupported()) return KernelLimit::not_on_this_cpu;
  put_aside.store(index, std::memory_order_relaxed);
  return KernelLimit::set;
}

}  // namespace tandem::cpu
