#include "cpu/floating_point.h"

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace tandem::cpu {
namespace {

#if defined(__x86_64__)
// MXCSR after a reset: nearest, all traps masked, no flush-to-zero.
constexpr std::uint64_t specified = 0x1f80;
constexpr std::uint64_t flags = 0x3f;

std::uint64_t environment() { return __builtin_ia32_stmxcsr(); }

void set_environment(std::uint64_t value) {
  __builtin_ia32_ldmxcsr(static_cast<unsigned>(value));
}
#elif defined(__aarch64__)
constexpr std::uint64_t specified = 0;
constexpr std::uint64_t flags = 0;

std::uint64_t environment() {
  std::uint64_t value;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}

void set_environment(std::uint64_t value) {
  asm volatile("msr fpcr, %0" : : "r"(value) : "memory");
}
#else
constexpr std::uint64_t specified = FE_TONEAREST;
constexpr std::uint64_t flags = 0;

std::uint64_t environment() {
  return static_cast<std::uint64_t>(std::fegetround());
}

void set_environment(std::uint64_t value) {
  std::fesetround(static_cast<int>(value));
}
#endif

}  // namespace

// Writing the register is slow, so it is left alone where it is right already.
FloatingPointScope::FloatingPointScope() : found_(environment() & ~flags) {
  if (found_ != specified) set_environment(specified);
}

FloatingPointScope::~FloatingPointScope() {
  if (found_ != specified) set_environment(found_);
}

}  // namespace tandem::cpu
