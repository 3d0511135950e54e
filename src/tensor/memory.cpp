#include "tensor/memory.h"

#include <tandem/tensor/error.h>
#include <tandem/tensor/tensor.h>

#include <bit>
#include <mutex>
#include <new>
#include <string>

namespace tandem {
namespace {

// A fresh page costs more than the arithmetic on it, and the system takes large
// blocks back at once: those are kept here. Small ones are malloc's business.
constexpr std::size_t smallest_kept = std::size_t{64} << 10;
constexpr std::size_t most_kept_idle = std::size_t{1} << 30;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps = false;  // a reused block would hide a stale pointer
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool keeps = false;
#else
constexpr bool keeps = true;
#endif
#else
constexpr bool keeps = true;
#endif

// Blocks come in sizes of three significant bits, so at most an eighth of one
// is never used.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass class_of(std::size_t bytes) {
  const auto power = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;
  const std::size_t step = std::size_t{1} << (power - 3);
  const std::size_t steps = (bytes + step - 1) / step;  // 9 to 16
  return {power * 8 + (steps - 9), steps * step};
}

struct IdleBlock {
  IdleBlock* next;
};

// Never destroyed: tensors may outlive everything.
struct IdleBlocks {
  std::mutex mutex;
  IdleBlock* first[64 * 8] = {};
  std::size_t bytes = 0;
};

IdleBlocks& idle_blocks() {
  static auto* const blocks = new IdleBlocks;
  return *blocks;
}

// A lock that is held elsewhere, perhaps by a thread that a fork left behind,
// is not waited for.
void* take_idle(const SizeClass& size) {
  IdleBlocks& idle = idle_blocks();
  const std::unique_lock lock(idle.mutex, std::try_to_lock);
  if (!lock || idle.first[size.index] == nullptr) return nullptr;
  IdleBlock* const block = idle.first[size.index];
  idle.first[size.index] = block->next;
  idle.bytes -= size.bytes;
  return block;
}

bool keep_idle(void* memory, const SizeClass& size) noexcept {
  IdleBlocks& idle = idle_blocks();
  const std::unique_lock lock(idle.mutex, std::try_to_lock);
  if (!lock || idle.bytes + size.bytes > most_kept_idle) return false;
  idle.first[size.index] = new (memory) IdleBlock{idle.first[size.index]};
  idle.bytes += size.bytes;
  return true;
}

bool is_kept(std::size_t bytes) { return keeps && bytes >= smallest_kept; }

}  // namespace

void* acquire_memory(std::size_t bytes) {
  std::size_t whole = bytes;
  if (is_kept(bytes)) {
    const SizeClass size = class_of(bytes);
    if (void* const memory = take_idle(size)) return memory;
    whole = size.bytes;
  }
  void* const memory = ::operator new(whole, std::nothrow);
  if (memory == nullptr) {
    throw Error("tensor: memory exhausted: " + std::to_string(bytes) +
                " bytes");
  }
  return memory;
}

void release_memory(void* memory, std::size_t bytes) noexcept {
  if (is_kept(bytes) && keep_idle(memory, class_of(bytes))) return;
  ::operator delete(memory);
}

void release_idle_memory() {
  IdleBlocks& idle = idle_blocks();
  const std::lock_guard lock(idle.mutex);
  for (IdleBlock*& first : idle.first) {
    while (first != nullptr) {
      IdleBlock* const block = first;
      first = block->next;
      ::operator delete(block);
    }
  }
  idle.bytes = 0;
}

}  // namespace tandem
