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

  /// Those beyond the end of a file that was cut meanwhile must not be touched.
  std::string_view bytes() const { return {data_, size_}; }

  /// Whether the file is still as long as it was.
  bool is_whole() const;

 private:
  class Descriptor {
   public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

   private:
    int number_;  // negative where there is none
  };

  Descriptor file_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tandem::nn
