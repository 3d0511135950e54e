// The version: the build reads it from here, so it is written once.
#pragma once

#include <tandem/export.h>

#define TANDEM_VERSION_MAJOR 0
#define TANDEM_VERSION_MINOR 1
#define TANDEM_VERSION_PATCH 0
#define TANDEM_VERSION "0.1.0"

namespace tandem {

/// The version of the library that is linked, as `major.minor.patch`; it may
/// differ from TANDEM_VERSION, which is the version of these headers.
TANDEM_API const char* version();

}  // namespace tandem
