// The devices that conformance tests run on. A backend is right when every
// suite derived from DeviceTest passes on it.
#pragma once

#include <gtest/gtest.h>
#include <tandem/execution/context.h>

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tandem::test {

/// A context, or the reason why there is none.
struct OpenedDevice {
  std::optional<ExecutionContext> context;
  std::string why_not;
};

struct TestDevice {
  std::string name;  ///< a C++ identifier
  /// It rounds each product and sum in the order of the specification. Other
  /// devices are given integers, which are exact in any order.
  bool rounds_as_specified;
  /// It is fast enough at tiny products for a whole sweep.
  bool sweeps_fully;
  std::function<OpenedDevice()> open;
};

/// All of them. A new device is one more entry here and nothing else.
std::vector<TestDevice> test_devices();

/// For INSTANTIATE_TEST_SUITE_P.
std::string device_name(const testing::TestParamInfo<TestDevice>& info);
std::ostream& operator<<(std::ostream& stream, const TestDevice& device);

/// Runs each TEST_P in `context()` of its device; skips where there is none.
class DeviceTest : public testing::TestWithParam<TestDevice> {
 protected:
  void SetUp() override;
  const ExecutionContext& context() const { return *context_; }
  bool rounds_as_specified() const { return GetParam().rounds_as_specified; }

 private:
  std::optional<ExecutionContext> context_;
};

}  // namespace tandem::test

/// Makes a suite derived from DeviceTest run on every device.
#define TANDEM_ON_EVERY_DEVICE(suite)                                         \
  INSTANTIATE_TEST_SUITE_P(Devices, suite,                                    \
                           testing::ValuesIn(::tandem::test::test_devices()), \
                           ::tandem::test::device_name)
