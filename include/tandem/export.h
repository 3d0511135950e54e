// TANDEM_API: the mark of everything the library exports.
#pragma once

#if defined(__GNUC__)
#define TANDEM_API __attribute__((visibility("default")))
#else
#define TANDEM_API
#endif
