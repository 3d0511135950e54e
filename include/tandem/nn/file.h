// write_file: a file that appears complete, or not at all.
#pragma once

#include <tandem/export.h>

#include <filesystem>
#include <string_view>

namespace tandem::nn {

/// Replaces the file in one step: whatever stops this process, a reader finds
/// the old content or the new. What is not a regular file (a pipe, a device) is
/// written to as it is. Throws FileError.
TANDEM_API void write_file(const std::filesystem::path& path,
                           std::string_view content);

}  // namespace tandem::nn
