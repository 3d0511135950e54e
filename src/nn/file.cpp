#include <tandem/nn/file.h>
#include <tandem/tensor/error.h>

#include <fstream>
#include <system_error>

#include "nn/atomic_file.h"

namespace tandem::nn {
namespace {

bool is_special(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) &&
         !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void write_through(const std::filesystem::path& path,
                   std::string_view content) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.flush();
  if (!stream) {
    throw FileError("write file: cannot be written: " + path.string());
  }
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
  if (is_special(path)) {
    write_through(path, content);
    return;
  }
  AtomicFile file(path, "write file");
  file.write(content.data(), content.size());
  file.commit();
}

}  // namespace tandem::nn
