// Linked into every test program: makes the library use the kernels that
// TANDEM_TEST_KERNEL names. Where it cannot, the program ends before the first
// test: what passes on other kernels than those asked for shows nothing.
#include <cstdio>
#include <cstdlib>

#include "cpu/kernel_choice.h"

namespace tandem::test {
namespace {

enum ExitCode {
  refused = 2,
  not_on_this_cpu = 77,  // ctest is told to call this a skip
};

[[noreturn]] void end(ExitCode code, const char* why, const char* name) {
  std::fprintf(stderr, "TANDEM_TEST_KERNEL: %s: name is %s\n", why, name);
  std::_Exit(code);
}

bool force_kernels() {
  const char* name = std::getenv("TANDEM_TEST_KERNEL");
  if (name == nullptr || *name == '\0') return false;
#if defined(TANDEM_KERNELS_OUT_OF_REACH)
  end(refused, "a shared library keeps its kernels to itself", name);
#else
  switch (cpu::limit_kernels(name)) {
    case cpu::KernelLimit::set:
      return true;
    case cpu::KernelLimit::not_on_this_cpu:
      end(not_on_this_cpu, "this CPU cannot run the kernels", name);
    case cpu::KernelLimit::unknown_name:
      end(refused, "no kernels of this build are called so", name);
  }
  return false;
#endif
}

[[maybe_unused]] const bool forced = force_kernels();

}  // namespace
}  // namespace tandem::test
