// Scratch: a thread's memory for packed operands, kept from call to call.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace tandem::cpu {

/// Uninitialised elements on cache-line boundaries. Grows, never shrinks.
template <class Scalar>
class Scratch {
 public:
  /// Room for `count` elements; what the last call gave is invalid.
  Scalar* reserve(std::size_t count) {
    if (count > capacity_) {
      memory_.reset();
      capacity_ = 0;
      memory_.reset(static_cast<Scalar*>(
          ::operator new(count * sizeof(Scalar), alignment)));
      capacity_ = count;
    }
    return memory_.get();
  }

 private:
  static constexpr std::align_val_t alignment{64};

  struct Release {
    void operator()(Scalar* memory) const {
      ::operator delete(memory, alignment);
    }
  };

  std::unique_ptr<Scalar, Release> memory_;
  std::size_t capacity_ = 0;
};

}  // namespace tandem::cpu
