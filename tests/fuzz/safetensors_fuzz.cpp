// Any bytes as a safetensors file: either an Error, or tensors that can be
// read to their last byte. The file lies in memory.
#include <sys/mman.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void read_everything(const std::string& path) {
  try {
    const auto file = tandem::Safetensors::open(path);
    for (const std::string& name : file.names()) {
      if (file.type(name) <= tandem::ElementType::bf16) {
        file.tensor(name);
      } else if (file.type(name) == tandem::ElementType::i64) {
        file.integers(name);
      }
    }
  } catch (const tandem::Error&) {  // what a malformed file is answered with
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const int file = ::memfd_create("input", MFD_CLOEXEC);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  read_everything("/proc/self/fd/" + std::to_string(file));
  ::close(file);
  return 0;
}
