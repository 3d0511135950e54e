// Text that goes to stdout while it is made.
#pragma once

#include <string_view>

namespace tandem::cli {

/// Seen at once, not when a buffer is full. Throws FileError.
void write_text(std::string_view text);

}  // namespace tandem::cli
