// The report of devices as a person reads it.
#pragma once

#include <tandem/execution/devices.h>

#include <string>

namespace tandem::cli {

std::string device_table(const DeviceReport& report, unsigned cpu_threads);

}  // namespace tandem::cli
