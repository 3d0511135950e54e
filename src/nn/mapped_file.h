// MappedFile: a file's bytes, read by the system as they are touched.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace tandem::nn {

/// A read-only map of a whole regular file.
class MappedFile {
 public:
  /// Throws FileError in the name of `operation`.
  MappedFile(const std::filesystem::path& path, const char* operation);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tandem::nn
