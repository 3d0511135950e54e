// AtomicFile: a file that appears under its name complete, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tandem::nn {

/// Collects bytes in a temporary file beside the destination; commit() gives
/// it the destination's name. Without commit() nothing is left. Throws
/// FileError in the name of `operation`.
class AtomicFile {
 public:
  AtomicFile(const std::filesystem::path& path, const char* operation);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const char* bytes, std::size_t count);

  /// Returns when both the content and the name are on the disk.
  void commit();

 private:
  [[noreturn]] void reject(const char* what) const;
  void open();
  void close();
  void sync_folder() const;

  std::filesystem::path path_;
  std::filesystem::path folder_;
  std::filesystem::path temporary_;
  const char* operation_;
  int descriptor_ = -1;
  bool named_ = false;  // the temporary file exists under its own name
};

}  // namespace tandem::nn
