#include "support/devices.h"

#include <tandem/tensor/error.h>

#include <cstdlib>
#include <ostream>
#include <string>

#if defined(FAKE_CUDA_ROOT)
#include <dlfcn.h>
#endif

namespace tandem::test {
namespace {

OpenedDevice open_cpu() { return {ExecutionContext::cpu(), ""}; }

#if defined(FAKE_CUDA_ROOT)
constexpr char fake_folder[] = FAKE_CUDA_ROOT "/13";

OpenedDevice open_fake_cuda() {
  CudaOptions options;
  options.library_directories = fake_folder;
  return {ExecutionContext::cuda(0, options), ""};
}

// Once the fakes are loaded, their names would be found in place of the real
// libraries.
bool fakes_are_loaded() {
  const std::string driver = std::string(fake_folder) + "/libcuda.so.1";
  return dlopen(driver.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
}

OpenedDevice open_cuda() {
  if (fakes_are_loaded())
    return {std::nullopt, "the fake libraries are loaded in this process"};
  try {
    return {ExecutionContext::cuda(), ""};
  } catch (const ExecutionError& error) {
    return {std::nullopt, error.what()};
  }
}
#endif

bool a_gpu_is_required() {
  const char* required = std::getenv("TANDEM_REQUIRE_GPU");
  return required != nullptr && std::string(required) == "1";
}

}  // namespace

std::vector<TestDevice> test_devices() {
  return {
    {"Cpu", true, true, open_cpu},
#if defined(FAKE_CUDA_ROOT)
        {"FakeCuda", false, false, open_fake_cuda},
        {"Cuda", false, false, open_cuda},
#endif
  };
}

std::string device_name(const testing::TestParamInfo<TestDevice>& info) {
  return info.param.name;
}

std::ostream& operator<<(std::ostream& stream, const TestDevice& device) {
  return stream << device.name;
}

void DeviceTest::SetUp() {
  OpenedDevice opened = GetParam().open();
  if (!opened.context && a_gpu_is_required())
    FAIL() << GetParam().name << ": " << opened.why_not;
  if (!opened.context)
    GTEST_SKIP() << GetParam().name << ": " << opened.why_not;
  context_ = std::move(opened.context);
}

}  // namespace tandem::test
