#include "nn/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tandem/tensor/error.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace tandem::nn {
namespace {

[[noreturn]] void reject(const char* operation, const std::string& why,
                         const std::filesystem::path& path) {
  throw FileError(std::string(operation) + ": cannot read: " + why + ", in " +
                  path.string());
}

std::string system_reason() { return std::generic_category().message(errno); }

}  // namespace

MappedFile::Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

// Without O_NONBLOCK a named pipe would wait for its writer.
MappedFile::MappedFile(const std::filesystem::path& path, const char* operation)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat facts {};
  if (file_.number() < 0 || ::fstat(file_.number(), &facts) != 0) {
    reject(operation, system_reason(), path);
  }
  if (!S_ISREG(facts.st_mode)) {
    reject(operation, "not a regular file", path);
  }
  if (facts.st_size == 0) return;  // nothing to map, and the system refuses to
  size_ = static_cast<std::size_t>(facts.st_size);
  void* const data =
      ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.number(), 0);
  if (data == MAP_FAILED) reject(operation, system_reason(), path);
  data_ = static_cast<const char*>(data);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

bool MappedFile::is_whole() const {
  struct stat facts {};
  return ::fstat(file_.number(), &facts) == 0 &&
         static_cast<std::size_t>(facts.st_size) >= size_;
}

}  // namespace tandem::nn
