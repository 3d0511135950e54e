// FloatingPointScope: arithmetic as the specification means it, whatever the
// thread's floating-point environment was.
#pragma once

#include <cstdint>

namespace tandem::cpu {

/// While it lives, this thread rounds to nearest, keeps subnormals and masks
/// every trap; then the modes it found are back. A caller that flushes
/// subnormals or rounds upward therefore sees the same bits. Which exception
/// flags are raised afterwards is not specified.
/// Compilers may move plain arithmetic across it: put it around calls.
class FloatingPointScope {
 public:
  FloatingPointScope();
  ~FloatingPointScope();
  FloatingPointScope(const FloatingPointScope&) = delete;
  FloatingPointScope& operator=(const FloatingPointScope&) = delete;

 private:
  std::uint64_t found_;
};

}  // namespace tandem::cpu
