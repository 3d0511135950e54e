#include <tandem/execution/devices.h>
#include <tandem/tensor/error.h>

#include <cstdlib>

#include "cuda/checked.h"
#include "cuda/device.h"
#include "cuda/loader.h"

namespace tandem {
namespace cuda {
namespace {

CudaDeviceReport describe_device(const DriverTable& driver,
                                 std::size_t ordinal) {
  constexpr auto stage = ExecutionStage::device;
  abi::DriverDevice device = 0;
  check(driver.device(&device, static_cast<int>(ordinal)), stage,
        "cuDeviceGet");
  CudaDeviceReport report;
  report.ordinal = ordinal;
  char name[256] = "";
  check(driver.device_name(name, sizeof name, device), stage,
        "cuDeviceGetName");
  report.name = name;
  check(driver.device_total_memory(&report.memory_bytes, device), stage,
        "cuDeviceTotalMem_v2");
  int major = 0;
  check(driver.device_attribute(
            &major, abi::DriverAttribute::compute_capability_major, device),
        stage, "cuDeviceGetAttribute");
  int minor = 0;
  check(driver.device_attribute(
            &minor, abi::DriverAttribute::compute_capability_minor, device),
        stage, "cuDeviceGetAttribute");
  report.compute_capability =
      std::to_string(major) + "." + std::to_string(minor);
  return report;
}

std::string advice_for(const ExecutionError& error) {
  switch (error.stage()) {
    case ExecutionStage::driver:
      return "install an NVIDIA driver for CUDA 12 or 13; in a container, "
             "start it with the GPU passed through";
    case ExecutionStage::library:
      return "install the CUDA runtime and cuBLAS of a major that the driver "
             "supports, or name their folder with --cuda-library-dir or "
             "TANDEM_CUDA_LIBRARY_DIR";
    default:
      return "see whether nvidia-smi lists the device and whether "
             "CUDA_VISIBLE_DEVICES hides it";
  }
}

// A step that fails is a problem of the report; the next one is still taken.
template <typename Step>
void attempt(DeviceReport& report, Step step) {
  try {
    step();
  } catch (const ExecutionError& error) {
    report.problems.push_back({error.what(), advice_for(error)});
  }
}

void add_steps(DeviceReport& report, const std::vector<Attempt>& attempts) {
  for (const Attempt& attempt : attempts)
    report.search.push_back({attempt.path, attempt.said});
}

const DriverApi* find_driver(DeviceReport& report) {
  const DriverApi* driver = nullptr;
  std::vector<Attempt> attempts;
  attempt(report, [&] { driver = &load_driver(report.directories, attempts); });
  add_steps(report, attempts);
  if (driver == nullptr) return nullptr;
  report.libraries.push_back(
      {"libcuda", driver->library.file, version_text(driver->library.version)});
  return driver;
}

void find_toolkit(DeviceReport& report, const DriverApi& driver) {
  std::vector<Attempt> attempts;
  attempt(report, [&] {
    const ToolkitApi& toolkit =
        load_toolkit(report.directories, driver.library.version, attempts);
    report.libraries.push_back({"libcudart", toolkit.runtime_library.file,
                                version_text(toolkit.runtime_library.version)});
    report.libraries.push_back(
        {"libcublasLt", toolkit.blas_lt_library.file,
         blas_version_text(toolkit.blas_lt_library.version)});
    report.libraries.push_back(
        {"libcublas", toolkit.blas_library.file,
         blas_version_text(toolkit.blas_library.version)});
    report.math = "native F64";
  });
  add_steps(report, attempts);
}

void find_devices(DeviceReport& report, const DriverApi& driver) {
  attempt(report, [&] {
    const std::size_t count = count_devices(driver);
    for (std::size_t ordinal = 0; ordinal < count; ++ordinal)
      report.devices.push_back(describe_device(driver.call, ordinal));
    if (count == 0)
      throw ExecutionError(ExecutionStage::device, "cuda: no device");
  });
}

}  // namespace
}  // namespace cuda

DeviceReport probe_cuda(const CudaOptions& options) {
  DeviceReport report;
  report.directories = cuda::chosen_directories({options.library_directories});
  const char* emulate = std::getenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
  report.emulation_requested =
      emulate != nullptr && std::string(emulate) != "0";
  const cuda::DriverApi* driver = cuda::find_driver(report);
  if (driver == nullptr) return report;
  cuda::find_toolkit(report, *driver);
  cuda::find_devices(report, *driver);
  return report;
}

}  // namespace tandem
