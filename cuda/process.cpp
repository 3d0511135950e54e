#include "cuda/process.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace tandem::cuda {
namespace {

std::atomic<bool> ending{false};

// Registered after the libraries were opened, so it runs before their own exit
// handlers; a static executor made after this is destroyed before it runs.
void watch_for_the_end() {
  static const int registered = std::atexit([] { ending = true; });
  (void)registered;
}

}  // namespace

ProcessMark::ProcessMark() : process_(getpid()) { watch_for_the_end(); }

bool ProcessMark::is_inherited() const { return getpid() != process_; }

bool ProcessMark::permits_native_calls() const {
  return !process_is_ending() && !is_inherited();
}

bool process_is_ending() { return ending.load(std::memory_order_relaxed); }

}  // namespace tandem::cuda
