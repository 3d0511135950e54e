#include "tensor/storage.h"

#include <tandem/tensor/error.h>

#include <new>
#include <string>
#include <utility>

namespace tandem {
namespace {

// A cache line, and the widest vector register.
constexpr std::align_val_t alignment{64};

struct AlignedDelete {
  void operator()(double* values) const {
    ::operator delete(values, alignment);
  }
};

}  // namespace

std::shared_ptr<Storage> Storage::allocate(std::size_t count) {
  // The count was proven to fit when the shape was.
  const std::size_t bytes = count * sizeof(double);
  void* memory = ::operator new(bytes, alignment, std::nothrow);
  if (memory == nullptr) {
    throw Error("tensor: memory exhausted: " + std::to_string(bytes) +
                " bytes for " + std::to_string(count) + " values");
  }
  auto* values = static_cast<double*>(memory);
  return adopt(values, count, std::shared_ptr<double>(values, AlignedDelete{}));
}

std::shared_ptr<Storage> Storage::adopt(double* values, std::size_t count,
                                        std::shared_ptr<void> owner) {
  return std::shared_ptr<Storage>(new Storage(values, count, std::move(owner)));
}

const double* Storage::values() const { return values_; }

}  // namespace tandem
