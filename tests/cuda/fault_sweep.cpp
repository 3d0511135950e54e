#include "cuda/fault_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "cuda/fake_context.h"
#include "cuda/status_names.h"

namespace tandem {
namespace {

using Stage = ExecutionStage;

// From the reference manuals: what the calls return, and what earlier
// asynchronous work may make them return. The last is in no manual.
const std::vector<int> driver_statuses{1, 3, 4, 100, 101, 201, 999, 4242};
const std::vector<int> runtime_statuses{1,   3,   4,   46,  100, 101,
                                        400, 700, 719, 999, 4242};
const std::vector<int> memory_statuses{1, 2, 3, 4, 46, 100, 700, 712, 4242};
const std::vector<int> blas_statuses{1, 3, 7, 8, 11, 13, 14, 15, 16, 99};

std::string name_of_status(const std::string& function, int status) {
  if (function.rfind("cublas", 0) == 0)
    return cuda::name_of(cuda::abi::BlasStatus{status});
  if (function.rfind("cuda", 0) == 0)
    return cuda::name_of(cuda::abi::RuntimeStatus{status});
  return cuda::name_of(cuda::abi::DriverStatus{status});
}

bool is_one_of(const ExecutionError& error,
               const std::vector<fake_cuda::Fault>& plan) {
  return std::any_of(plan.begin(), plan.end(), [&](const auto& fault) {
    return error.code() == fault.status &&
           error.code_name() == name_of_status(fault.function, fault.status);
  });
}

std::string text(const std::vector<fake_cuda::Fault>& plan) {
  std::string text;
  for (const auto& fault : plan)
    text += fault.function + " call " + std::to_string(fault.call) + " gives " +
            std::to_string(fault.status) +
            (fault.persistent ? " from then on; " : " once; ");
  return text;
}

// A release has nobody to report to, a failed pop is tried again, and a full
// pool gives back what it keeps before it gives up.
bool may_pass(const EntryPoint& entry,
              const std::vector<fake_cuda::Fault>& plan) {
  if (plan.size() > 1 || entry.is_release) return true;
  if (plan[0].persistent) return false;
  return entry.function == "cuCtxPopCurrent_v2" ||
         (entry.stage == Stage::allocate && plan[0].status == 2);
}

std::size_t total_struck = 0;

// Nothing that lasts: the same program works once the faults are gone, or the
// executor says of itself that it does not.
void expect_right_or_unusable(const ExecutionContext& context) {
  const Tensor left({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor right({3, 2}, {7, 8, 9, 10, 11, 12});
  const ExecutionStats before = context.stats();
  try {
    const Tensor product = context.matmul(left, right);
    EXPECT_EQ(
        std::vector<double>(product.values().begin(), product.values().end()),
        (std::vector<double>{58, 64, 139, 154}));
    EXPECT_EQ(context.stats().gemm_requests, before.gemm_requests + 1);
  } catch (const ExecutionError& error) {
    EXPECT_EQ(std::string(error.what())
                  .rfind("cuda: executor is unusable: the device did not come "
                         "to rest after a failed request: runtime status ",
                         0),
              0U)
        << error.what();
    EXPECT_EQ(error.stage(), Stage::synchronize);
    EXPECT_EQ(context.stats(), before);
  }
}

}  // namespace

const std::vector<EntryPoint>& entry_points() {
  static const std::vector<EntryPoint> entries{
      {"cuInit", Stage::driver, driver_statuses},
      {"cuDeviceGetCount", Stage::device, driver_statuses},
      {"cuDeviceGet", Stage::device, driver_statuses},
      {"cuDevicePrimaryCtxRetain", Stage::device, driver_statuses},
      {"cuDevicePrimaryCtxRelease_v2", Stage::device, driver_statuses, true},
      {"cuCtxPushCurrent_v2", Stage::device, driver_statuses},
      {"cuCtxPopCurrent_v2", Stage::device, driver_statuses},
      {"cudaMalloc", Stage::allocate, memory_statuses},
      {"cudaFree", Stage::allocate, memory_statuses, true},
      {"cudaHostRegister", Stage::allocate, memory_statuses},
      {"cudaHostUnregister", Stage::allocate, memory_statuses, true},
      {"cudaMemcpyAsync", Stage::copy, runtime_statuses},
      {"cudaStreamCreateWithFlags", Stage::handle, runtime_statuses},
      {"cudaStreamDestroy", Stage::handle, runtime_statuses, true},
      {"cudaStreamSynchronize", Stage::synchronize, runtime_statuses},
      {"cudaStreamWaitEvent", Stage::synchronize, runtime_statuses},
      {"cudaEventCreateWithFlags", Stage::handle, runtime_statuses},
      {"cudaEventRecord", Stage::synchronize, runtime_statuses},
      {"cudaEventSynchronize", Stage::synchronize, runtime_statuses},
      {"cudaEventDestroy", Stage::handle, runtime_statuses, true},
      {"cudaGetLastError", Stage::synchronize, runtime_statuses, true},
      {"cublasCreate_v2", Stage::handle, blas_statuses},
      {"cublasDestroy_v2", Stage::handle, blas_statuses, true},
      {"cublasSetStream_v2", Stage::handle, blas_statuses},
      {"cublasSetWorkspace_v2", Stage::handle, blas_statuses},
      {"cublasSetMathMode", Stage::handle, blas_statuses},
      {"cublasGetMathMode", Stage::handle, blas_statuses},
      {"cublasSetAtomicsMode", Stage::handle, blas_statuses},
      {"cublasSetPointerMode_v2", Stage::handle, blas_statuses},
      {"cublasDgemmStridedBatched_64", Stage::gemm, blas_statuses},
      {"cublasDasum_v2_64", Stage::gemm, blas_statuses},
  };
  return entries;
}

FaultSweep::FaultSweep(Scenario scenario) : scenario_(std::move(scenario)) {
  fake_cuda::plant({});
  scenario_(fake_cuda_context());
  calls_ = fake_cuda::calls();
}

std::size_t FaultSweep::calls_of(const EntryPoint& entry) const {
  const auto found = calls_.find(entry.function);
  return found == calls_.end() ? 0 : found->second;
}

std::size_t FaultSweep::faults_struck() { return total_struck; }

void FaultSweep::run(const EntryPoint& entry) { run(entry, entry.statuses); }

void FaultSweep::run_briefly(const EntryPoint& entry) {
  run(entry, std::vector<int>{entry.statuses.front(), entry.statuses.back()});
}

void FaultSweep::run(const EntryPoint& entry,
                     const std::vector<int>& statuses) {
  for (std::size_t call = 0; call < calls_of(entry); ++call) {
    for (const int status : statuses) {
      for (const bool persistent : {false, true})
        run(entry, {{entry.function, call, status, persistent}});
    }
  }
}

void FaultSweep::run_with(const EntryPoint& entry, const EntryPoint& second) {
  for (std::size_t call = 0; call < calls_of(entry); ++call) {
    for (const int status : {entry.statuses.front(), entry.statuses.back()}) {
      const fake_cuda::Fault first{entry.function, call, status, false};
      run_with(entry, first, second);
    }
  }
}

void FaultSweep::run_with(const EntryPoint& entry,
                          const fake_cuda::Fault& first,
                          const EntryPoint& second) {
  for (std::size_t call = 0; call < calls_of(second); ++call) {
    for (const int status : {second.statuses.front(), second.statuses.back()}) {
      for (const bool persistent : {false, true})
        run(entry, {first, {second.function, call, status, persistent}});
    }
  }
}

// Waiting for three lanes is how a failed request ends.
void FaultSweep::expect_completed_only(const EntryPoint& entry,
                                       std::size_t call,
                                       const ExecutionContext& context) {
  if (!one_wait_per_request_ || entry.is_release) return;
  const std::size_t waits = fake_cuda::calls()["cudaStreamSynchronize"];
  const std::size_t completed = entry.function == "cudaStreamSynchronize" ? call
                                : entry.stage == ExecutionStage::device
                                    ? waits
                                    : waits - 3;
  EXPECT_EQ(context.stats().gemm_requests, completed);
}

void FaultSweep::run(const EntryPoint& entry,
                     const std::vector<fake_cuda::Fault>& plan) {
  SCOPED_TRACE(text(plan));
  fake_cuda::plant(plan);
  std::optional<ExecutionContext> context;
  bool failed = false;
  try {
    context = fake_cuda_context();
    scenario_(*context);
  } catch (const ExecutionError& error) {
    failed = true;
    EXPECT_TRUE(plan.size() > 1 || error.stage() == entry.stage);
    EXPECT_TRUE(is_one_of(error, plan)) << error.what();
  }
  const bool struck = fake_cuda::faults_struck() > 0;
  total_struck += struck ? 1 : 0;
  EXPECT_TRUE(failed || !struck || may_pass(entry, plan));
  if (context && failed && plan.size() == 1)
    expect_completed_only(entry, plan[0].call, *context);
  fake_cuda::plant({});
  while (fake_cuda::current_device() >= 0) fake_cuda::leave_device();
  EXPECT_EQ(fake_cuda::last_error(), 0);
  if (context) expect_right_or_unusable(*context);
  context.reset();
  EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{});
  EXPECT_TRUE(fake_cuda::violations().empty());
}

}  // namespace tandem
