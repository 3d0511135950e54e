// Pool: buffers kept for the next request, up to a bound, because making one
// costs more than many a copy.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cuda/device.h"
#include "cuda/owned.h"

namespace tandem::cuda {

/// The size a request of `bytes` is rounded up to, so that near sizes share
/// buffers; less than a quarter is wasted above the smallest size.
std::size_t size_class(std::size_t bytes);

/// Hands out buffers that come back by themselves when their last holder lets
/// go, from whatever thread, and that keep the pool alive until then.
template <typename Buffer>
class Pool : public std::enable_shared_from_this<Pool<Buffer>> {
 public:
  /// Keeps at most `bound` bytes that nobody uses.
  Pool(std::shared_ptr<const Device> device, std::size_t bound)
      : device_(std::move(device)), bound_(bound) {}

  /// A buffer of at least `bytes`, contents unspecified. The device must be
  /// current. Throws ExecutionError, stage allocate.
  std::shared_ptr<Buffer> take(std::size_t bytes);

  /// Whether `owner` is a buffer of this pool.
  bool owns(const std::shared_ptr<void>& owner) const;

  /// Frees what nobody uses.
  void release_unused();

  std::size_t unused_bytes() const;

 private:
  struct GiveBack {
    std::shared_ptr<Pool> pool;
    void operator()(Buffer* buffer) const noexcept {
      pool->put(std::unique_ptr<Buffer>(buffer));
    }
  };
  using Unused = std::multimap<std::size_t, std::unique_ptr<Buffer>>;

  std::unique_ptr<Buffer> take_unused(std::size_t bytes);
  std::unique_ptr<Buffer> make(std::size_t bytes);
  void put(std::unique_ptr<Buffer> buffer) noexcept;

  std::shared_ptr<const Device> device_;
  const std::size_t bound_;
  mutable std::mutex mutex_;
  Unused unused_;
  std::size_t unused_bytes_ = 0;
};

using DevicePool = Pool<DeviceBuffer>;
using PinnedPool = Pool<PinnedBuffer>;

extern template class Pool<DeviceBuffer>;
extern template class Pool<PinnedBuffer>;

}  // namespace tandem::cuda
