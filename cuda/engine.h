// Engine: the streams and the cuBLAS handle of one executor, and the few
// things that are done with them.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/gemm_arguments.h"
#include "cuda/owned.h"

namespace tandem::cuda {

/// Three streams that run side by side (in, arithmetic, out) and a handle with
/// native arithmetic on the middle one. All calls want the device to be
/// current, and all but drain() throw ExecutionError.
class Engine {
 public:
  enum class Lane { in, compute, out };

  explicit Engine(const std::shared_ptr<const Device>& device);

  void copy_to_device(void* device, const void* host, std::size_t bytes,
                      Lane lane);
  void copy_to_host(void* host, const void* device, std::size_t bytes,
                    Lane lane);

  /// Queues a product on the compute lane; `left` and `right` are those of the
  /// row-major product.
  void multiply(const Product& product, const double* left, const double* right,
                double* out);

  /// Queues the sum of |values[i]| for i in [0, count) on the compute lane. All
  /// pointers are the device's.
  void sum_magnitudes(const double* values, std::size_t count, double* sum);

  /// What is queued on `after` from now on waits for all that is queued on
  /// `before` by now.
  void order(Lane before, Lane after);

  Event make_marker() const { return make_event(device_); }
  /// Notes how far a lane has been queued; wait() returns when it got there.
  void mark(const Event& marker, Lane lane);
  void wait(const Event& marker);
  /// Waits for everything on a lane.
  void wait(Lane lane);

  /// Waits for all lanes whatever happens. Returns the first status that is
  /// not success: the device may still be at work then.
  abi::RuntimeStatus drain() noexcept;

 private:
  void set_up_handle();
  void expect_scalars_at(abi::BlasPointerMode mode);
  abi::RuntimeStream stream(Lane lane) const;

  std::shared_ptr<const Device> device_;
  std::unique_ptr<DeviceBuffer> workspace_;
  Stream in_;
  Stream compute_;
  Stream out_;
  Event uploaded_;
  Event computed_;
  BlasHandle handle_;
  abi::BlasPointerMode scalars_at_ = abi::BlasPointerMode::host;
};

}  // namespace tandem::cuda
