#include "tensor/storage.h"

#include <cstdint>

#include "tensor/memory.h"

namespace tandem {
namespace {

// A cache line, and the widest vector register. A few values do not need it.
constexpr std::size_t alignment = 64;
constexpr std::size_t few_values = 32;

std::size_t alignment_of(std::size_t count) {
  return count <= few_values ? alignof(double) : alignment;
}

// Allocates an object with room for `extra` bytes behind it, so that a tensor
// costs one allocation.
template <class T>
struct TrailingAllocator {
  using value_type = T;

  explicit TrailingAllocator(std::size_t bytes) : extra(bytes) {}
  template <class U>
  TrailingAllocator(const TrailingAllocator<U>& other) : extra(other.extra) {}

  T* allocate(std::size_t n) {
    return static_cast<T*>(acquire_memory(n * sizeof(T) + extra));
  }
  void deallocate(T* memory, std::size_t n) noexcept {
    release_memory(memory, n * sizeof(T) + extra);
  }

  std::size_t extra;
};

double* first_aligned(void* memory, std::size_t boundary) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t up = (address + boundary - 1) / boundary * boundary;
  return reinterpret_cast<double*>(static_cast<char*>(memory) + (up - address));
}

}  // namespace

std::shared_ptr<Storage> Storage::allocate(std::size_t count) {
  const std::size_t boundary = alignment_of(count);
  // The count was proven to fit when the shape was.
  const std::size_t extra = count * sizeof(double) + boundary;
  auto storage = std::allocate_shared<Storage>(
      TrailingAllocator<Storage>(extra), Key{}, nullptr, count, nullptr);
  // Past the object lies the rest of its block.
  storage->values_ = first_aligned(storage.get() + 1, boundary);
  return storage;
}

std::shared_ptr<Storage> Storage::adopt(double* values, std::size_t count,
                                        std::shared_ptr<void> owner) {
  return std::make_shared<Storage>(Key{}, values, count, std::move(owner));
}

const double* Storage::values() const { return values_; }

}  // namespace tandem
