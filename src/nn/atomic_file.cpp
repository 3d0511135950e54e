#include "nn/atomic_file.h"

#include <fcntl.h>
#include <tandem/tensor/error.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace tandem::nn {
namespace {

// Unique in this machine while the process lives; a leftover of a killed
// process of the same number is passed over by opening exclusively.
std::string temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned long> count{0};
  return path.filename().string() + "." + std::to_string(::getpid()) + "." +
         std::to_string(count++) + ".tmp";
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path, const char* operation)
    : path_(path),
      folder_(path.has_parent_path() ? path.parent_path() : "."),
      operation_(operation) {
  open();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (named_) ::unlink(temporary_.c_str());
}

void AtomicFile::reject(const char* what) const {
  const std::string reason = std::generic_category().message(errno);
  throw FileError(std::string(operation_) + ": " + what + ": " + reason +
                  ", in " + path_.string());
}

void AtomicFile::open() {
  do {
    temporary_ = folder_ / temporary_name(path_);
    descriptor_ = ::open(temporary_.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) reject("cannot create a file");
  named_ = true;
}

void AtomicFile::write(const char* bytes, std::size_t count) {
  while (count > 0) {
    const ::ssize_t written = ::write(descriptor_, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) reject("cannot write");
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) reject("cannot write to the disk");
  close();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    reject("cannot name the file");
  }
  named_ = false;
  sync_folder();
}

void AtomicFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) reject("cannot write to the disk");
}

void AtomicFile::sync_folder() const {
  const int folder =
      ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) reject("cannot open the folder");
  const int status = ::fsync(folder);
  const int fault = errno;
  ::close(folder);
  errno = fault;
  // Some file systems keep names in order by themselves and refuse the call.
  if (status != 0 && fault != EINVAL) reject("cannot write the folder");
}

}  // namespace tandem::nn
