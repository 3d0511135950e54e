#include "cuda/engine.h"

#include <cstdint>

#include "cuda/checked.h"

namespace tandem::cuda {
namespace {

// What NVIDIA advises for its larger devices. A workspace of our own keeps the
// handle's choice of algorithm, and so the bits, the same on every run.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

}  // namespace

Engine::Engine(const std::shared_ptr<const Device>& device)
    : device_(device),
      workspace_(DeviceBuffer::make(device, workspace_bytes)),
      in_(make_stream(device)),
      compute_(make_stream(device)),
      out_(make_stream(device)),
      uploaded_(make_event(device)),
      computed_(make_event(device)),
      handle_(make_blas_handle(device)) {
  set_up_handle();
}

void Engine::set_up_handle() {
  const BlasTable& blas = device_->blas();
  const abi::BlasHandle handle = handle_.get();
  constexpr auto stage = ExecutionStage::handle;
  check(blas.set_stream(handle, compute_.get()), stage, "cublasSetStream_v2");
  // After the stream: setting one takes the workspace away again.
  check(blas.set_workspace(handle, workspace_->data(), workspace_->bytes()),
        stage, "cublasSetWorkspace_v2");
  check(blas.set_pointer_mode(handle, scalars_at_), stage,
        "cublasSetPointerMode_v2");
  check(blas.set_atomics_mode(handle, abi::BlasAtomics::not_allowed), stage,
        "cublasSetAtomicsMode");
  // The only mode that neither TF32 nor emulation may replace, whatever the
  // environment says.
  check(blas.set_math_mode(handle, abi::BlasMath::pedantic), stage,
        "cublasSetMathMode");
  abi::BlasMath mode = abi::BlasMath::standard;
  check(blas.math_mode(handle, &mode), stage, "cublasGetMathMode");
  if (mode != abi::BlasMath::pedantic) {
    throw ExecutionError(stage,
                         "cuda: cublas does not keep to native math: "
                         "mode is " +
                             std::to_string(static_cast<int>(mode)));
  }
}

abi::RuntimeStream Engine::stream(Lane lane) const {
  switch (lane) {
    case Lane::in:
      return in_.get();
    case Lane::compute:
      return compute_.get();
    case Lane::out:
      break;
  }
  return out_.get();
}

void Engine::copy_to_device(void* device, const void* host, std::size_t bytes,
                            Lane lane) {
  check(device_->runtime().copy_async(
            device, host, bytes, abi::CopyKind::host_to_device, stream(lane)),
        ExecutionStage::copy, "cudaMemcpyAsync");
}

void Engine::copy_to_host(void* host, const void* device, std::size_t bytes,
                          Lane lane) {
  check(device_->runtime().copy_async(
            host, device, bytes, abi::CopyKind::device_to_host, stream(lane)),
        ExecutionStage::copy, "cudaMemcpyAsync");
}

void Engine::multiply(const Product& product, const double* left,
                      const double* right, double* out) {
  const GemmArguments a = gemm_arguments(product);
  expect_scalars_at(abi::BlasPointerMode::host);
  check(device_->blas().gemm_strided_batched(
            handle_.get(), a.operation_a, a.operation_b, a.m, a.n, a.k,
            &a.alpha, right, a.lda, a.stride_a, left, a.ldb, a.stride_b,
            &a.beta, out, a.ldc, a.stride_c, a.batch_count),
        ExecutionStage::gemm, "cublasDgemmStridedBatched_64");
}

void Engine::sum_magnitudes(const double* values, std::size_t count,
                            double* sum) {
  expect_scalars_at(abi::BlasPointerMode::device);
  check(device_->blas().sum_of_magnitudes(
            handle_.get(), static_cast<std::int64_t>(count), values, 1, sum),
        ExecutionStage::gemm, "cublasDasum_v2_64");
}

// Before a call, not put back after it: so a failure leaves nothing to mend.
void Engine::expect_scalars_at(abi::BlasPointerMode mode) {
  if (scalars_at_ == mode) return;
  check(device_->blas().set_pointer_mode(handle_.get(), mode),
        ExecutionStage::handle, "cublasSetPointerMode_v2");
  scalars_at_ = mode;
}

void Engine::order(Lane before, Lane after) {
  const Event& marker = before == Lane::in ? uploaded_ : computed_;
  mark(marker, before);
  check(device_->runtime().stream_wait_event(stream(after), marker.get(), 0),
        ExecutionStage::synchronize, "cudaStreamWaitEvent");
}

void Engine::mark(const Event& marker, Lane lane) {
  check(device_->runtime().event_record(marker.get(), stream(lane)),
        ExecutionStage::synchronize, "cudaEventRecord");
}

void Engine::wait(const Event& marker) {
  check(device_->runtime().event_synchronize(marker.get()),
        ExecutionStage::synchronize, "cudaEventSynchronize");
}

void Engine::wait(Lane lane) {
  check(device_->runtime().stream_synchronize(stream(lane)),
        ExecutionStage::synchronize, "cudaStreamSynchronize");
}

abi::RuntimeStatus Engine::drain() noexcept {
  const RuntimeTable& runtime = device_->runtime();
  abi::RuntimeStatus first = abi::RuntimeStatus::success;
  for (const Lane lane : {Lane::in, Lane::compute, Lane::out}) {
    const abi::RuntimeStatus status = runtime.stream_synchronize(stream(lane));
    if (first == abi::RuntimeStatus::success) first = status;
  }
  // The error has been reported; it must not meet the next caller of CUDA.
  runtime.last_error();
  return first;
}

}  // namespace tandem::cuda
