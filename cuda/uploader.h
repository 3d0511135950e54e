// Uploader: brings operands to the device, packed by several threads into
// pinned memory while what was packed before is on the bus.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "cuda/engine.h"
#include "cuda/pool.h"
#include "cuda/strided_source.h"

namespace tandem::cuda {

/// An operand of a product: its values, and what keeps their memory alive.
struct Operand {
  StridedSource source;
  std::shared_ptr<void> owner;
};

/// Elements [begin, begin + count) of an operand's packed form, on their way to
/// `device`.
struct Transfer {
  const Operand* operand;
  std::size_t begin;
  std::size_t count;
  double* device;
};

/// Called with a transfer's number, in order and one at a time, as soon as all
/// of it is queued; perhaps on another thread, where the device is current.
using Queued = std::function<void(std::size_t transfer)>;

/// The largest piece that goes by one copy.
constexpr std::size_t uploader_slot_bytes = std::size_t{4} << 20;

class Uploader {
 public:
  /// Pinned memory comes from `pool` when it is first needed, and is kept.
  Uploader(std::shared_ptr<const Device> device, Engine& engine,
           std::shared_ptr<PinnedPool> pool);

  /// Queues all transfers, in order, on the lane that leads in. Values that lie
  /// packed in the pool's own memory go as they are; they must not go away
  /// until the lane is waited for. Everything is queued when it returns.
  void upload(const std::vector<Transfer>& transfers, const Queued& queued);

  /// To be called when the lane has been waited for: all pieces are free.
  void all_is_done();

 private:
  friend class UploadRun;

  /// Pinned memory for one piece.
  struct Slot {
    std::shared_ptr<PinnedBuffer> memory;
    Event sent;
    bool in_flight = false;
  };

  void make_slots(std::size_t wanted);

  std::shared_ptr<const Device> device_;
  Engine& engine_;
  std::shared_ptr<PinnedPool> pool_;
  std::vector<Slot> slots_;
};

}  // namespace tandem::cuda
