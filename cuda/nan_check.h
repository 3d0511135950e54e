// NanCheck: asks the device whether a result holds a NaN, so that the host need
// not read all of a result only to find none.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/engine.h"
#include "cuda/pool.h"

namespace tandem::cuda {

/// One question at a time, about a result that the device has. The device sums
/// magnitudes: none is negative, so infinities and overflow give infinity, and
/// the sum is NaN exactly where an element is.
class NanCheck {
 public:
  /// Throws ExecutionError, stage allocate. The device must be current.
  NanCheck(Engine& engine, DevicePool& device_pool, PinnedPool& pinned_pool);

  /// Queues the question behind what is on the compute lane and the answer
  /// behind what is on the lane out. About a small result nothing is asked.
  void ask(const double* on_device, std::size_t count);

  /// False where the device found none. To be called when the lane out has
  /// been waited for.
  bool may_hold_nan() const;

 private:
  double* answer() const { return static_cast<double*>(answer_->data()); }

  Engine& engine_;
  std::shared_ptr<DeviceBuffer> sum_;
  std::shared_ptr<PinnedBuffer> answer_;
};

}  // namespace tandem::cuda
