#include "support/devices.h"

#include <ostream>

namespace tandem::test {
namespace {

OpenedDevice open_cpu() { return {ExecutionContext::cpu(), ""}; }

}  // namespace

std::vector<TestDevice> test_devices() {
  return {
      {"Cpu", true, true, open_cpu},
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
  if (!opened.context)
    GTEST_SKIP() << GetParam().name << ": " << opened.why_not;
  context_ = std::move(opened.context);
}

}  // namespace tandem::test
