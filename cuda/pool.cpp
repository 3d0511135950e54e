#include "cuda/pool.h"

#include <tandem/tensor/error.h>

#include <algorithm>
#include <bit>

namespace tandem::cuda {

std::size_t size_class(std::size_t bytes) {
  constexpr std::size_t smallest = 4096;
  if (bytes <= smallest) return smallest;
  const std::size_t step = std::bit_floor(bytes - 1) / 4;
  if (bytes > SIZE_MAX - step) return bytes;
  return (bytes + step - 1) / step * step;
}

template <typename Buffer>
std::shared_ptr<Buffer> Pool<Buffer>::take(std::size_t bytes) {
  const std::size_t rounded = size_class(bytes);
  std::unique_ptr<Buffer> buffer = take_unused(rounded);
  if (buffer == nullptr) buffer = make(rounded);
  return std::shared_ptr<Buffer>(buffer.release(),
                                 GiveBack{this->shared_from_this()});
}

template <typename Buffer>
std::unique_ptr<Buffer> Pool<Buffer>::take_unused(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = unused_.lower_bound(bytes);
  // A much larger one is left for those who need it.
  if (found == unused_.end() || found->first / 2 > bytes) return nullptr;
  std::unique_ptr<Buffer> buffer = std::move(found->second);
  unused_bytes_ -= found->first;
  unused_.erase(found);
  return buffer;
}

template <typename Buffer>
std::unique_ptr<Buffer> Pool<Buffer>::make(std::size_t bytes) {
  try {
    return Buffer::make(device_, bytes);
  } catch (const ExecutionError& error) {
    const bool is_full =
        error.code() == static_cast<int>(abi::RuntimeStatus::memory_allocation);
    if (!is_full || unused_bytes() == 0) throw;
  }
  // What is kept for later may be what is lacking now.
  device_->runtime().last_error();
  release_unused();
  return Buffer::make(device_, bytes);
}

template <typename Buffer>
void Pool<Buffer>::put(std::unique_ptr<Buffer> buffer) noexcept {
  // After a fork another thread's lock may never be released.
  if (!device_->permits_native_calls()) return;
  const std::size_t bytes = buffer->bytes();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > bound_ - unused_bytes_) return;
  try {
    unused_.emplace(bytes, std::move(buffer));
    unused_bytes_ += bytes;
  } catch (const std::bad_alloc&) {
    // Not kept, then; the buffer frees itself.
  }
}

template <typename Buffer>
bool Pool<Buffer>::owns(const std::shared_ptr<void>& owner) const {
  const auto* way_back = std::get_deleter<GiveBack>(owner);
  return way_back != nullptr && way_back->pool.get() == this;
}

template <typename Buffer>
void Pool<Buffer>::release_unused() {
  Unused freed;
  const std::lock_guard<std::mutex> lock(mutex_);
  freed.swap(unused_);
  unused_bytes_ = 0;
}

template <typename Buffer>
std::size_t Pool<Buffer>::unused_bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return unused_bytes_;
}

template class Pool<DeviceBuffer>;
template class Pool<PinnedBuffer>;

}  // namespace tandem::cuda
