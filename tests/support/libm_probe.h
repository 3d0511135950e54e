// Whether this machine's elementary functions are those that the golden values
// were made with.
#pragma once

#include <string>

namespace tandem::test {

/// The elementary functions that the probe found to round differently, such as
/// `exp(3.625)`; empty where every result has the stored bits. A math library
/// may choose its code by the CPU, so this is asked at run time.
std::string differing_functions();

/// True where golden values have to be met bit for bit.
inline bool golden_bits_hold() { return differing_functions().empty(); }

}  // namespace tandem::test
