// FloatingPointScope: arithmetic as the specification means it, whatever the
// thread's floating-point environment was.
#pragma once

#include <cstdint>

namespace tandem::cpu {

/// While it lives, this thread rounds to nearest, keeps subnormals and masks
/// every trap; then the environment it found is back, flags included. A caller
/// that flushes subnormals or rounds upward therefore sees the same bits.
/// Compilers may move plain arithmetic across it: put it around calls.
class FloatingPointScope {
 public:
  FloatingPointScope();
  ~FloatingPointScope();
  FloatingPointScope(const FloatingPointScope&) = delete;
  FloatingPointScope& operator=(const FloatingPointScope&) = delete;

 private:
  std::uint64_t saved_;
};

}  // namespace tandem::cpu
