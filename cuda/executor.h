// Executor: runs products host to host on one device, one at a time, and
// counts what it completed.
#pragma once

#include <tandem/execution/stats.h>
#include <tandem/tensor/error.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda/chunks.h"
#include "cuda/engine.h"
#include "cuda/nan_check.h"
#include "cuda/pool.h"
#include "cuda/uploader.h"
#include "tensor/storage.h"

namespace tandem::cuda {

/// Threads may share one; their requests are serialised. Results live in memory
/// that outlives it. Every failure is an ExecutionError; after it the executor
/// either works as before or says of itself that it is unusable.
class Executor {
 public:
  /// Opens the device and sets up everything a request needs. At most
  /// `pool_limit` bytes each of device and of pinned memory are kept for reuse.
  Executor(const Api& api, std::size_t ordinal, std::size_t pool_limit);

  std::size_t ordinal() const { return device_->ordinal(); }

  /// The product's packed result.
  std::shared_ptr<const Storage> multiply(const Product& product,
                                          const Operand& left,
                                          const Operand& right);

  ExecutionStats stats() const;

  /// Frees the device and pinned memory that nobody uses.
  void release_unused_memory();

 private:
  // What the device may still touch while a request is under way.
  using Holdings = std::vector<std::shared_ptr<void>>;

  // Memory for requests too small to be worth more than one copy.
  struct ShortWay {
    std::shared_ptr<DeviceBuffer> device;
    std::shared_ptr<PinnedBuffer> host;
  };

  std::shared_ptr<const Storage> run(const Product& product,
                                     const Operand& left, const Operand& right,
                                     Holdings& held);
  std::shared_ptr<const Storage> multiply_small(const Product& product,
                                                const Operand& left,
                                                const Operand& right,
                                                Holdings& held);
  std::shared_ptr<const Storage> multiply_in_chunks(
      const Product& product, const std::vector<Chunk>& chunks,
      const Operand& left, const Operand& right, Holdings& held);
  static void add_transfers(const Product& product, const Chunk& chunk,
                            const Operand& left, const Operand& right,
                            double* on_device,
                            std::vector<Transfer>& transfers);
  void queue(const Product& product, const Chunk& chunk, double* on_device,
             double* result);
  double* take_device_memory(std::size_t elements, Holdings& held);
  std::shared_ptr<Storage> take_result(std::size_t elements, Holdings& held);
  void release_everything();
  void require_working() const;
  void recover(Holdings& held);
  void count(const Product& product, std::size_t requests);

  std::shared_ptr<const Device> device_;
  std::shared_ptr<DevicePool> device_pool_;
  std::shared_ptr<PinnedPool> pinned_pool_;
  std::vector<Holdings> abandoned_;
  std::optional<Engine> engine_;
  std::optional<Uploader> uploader_;
  std::optional<NanCheck> nan_check_;
  std::optional<ShortWay> short_way_;
  std::optional<ExecutionError> unusable_;
  std::mutex request_mutex_;
  mutable std::mutex stats_mutex_;
  ExecutionStats stats_;
};

}  // namespace tandem::cuda
