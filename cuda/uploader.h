// Uploader: brings operands to the device in pieces, packed by several threads
// into pinned memory while the piece before is on the bus.
#pragma once

#include <cstddef>
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

class Uploader {
 public:
  /// Pinned memory comes from `pool` when it is first needed, and is kept.
  Uploader(Engine& engine, std::shared_ptr<PinnedPool> pool);

  /// Queues elements [begin, begin + count) of the operand's packed form on the
  /// lane that leads in. Values that lie packed in the pool's own memory go
  /// as they are; they must not go away until the lane is waited for.
  void upload(const Operand& operand, std::size_t begin, std::size_t count,
              double* device);

  /// To be called when the lane has been waited for: all pieces are free.
  void all_is_done();

 private:
  struct Slot {
    std::shared_ptr<PinnedBuffer> memory;
    Event sent;
    bool in_flight = false;
  };

  Slot& next_slot();

  Engine& engine_;
  std::shared_ptr<PinnedPool> pool_;
  std::vector<Slot> slots_;
  std::size_t next_ = 0;
};

}  // namespace tandem::cuda
