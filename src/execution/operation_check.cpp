#include <tandem/execution/operation_check.h>

namespace tandem {

OperationCheck::OperationCheck(const Criterion& criterion)
    : criterion_(criterion) {}

std::size_t OperationCheck::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

std::optional<Divergence> OperationCheck::first_divergence() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

void OperationCheck::compare(const char* operation, const Scope& scope,
                             Pass pass, const Tensor& expected,
                             const Tensor& actual) {
  const auto want = expected.values();
  const auto got = actual.values();
  std::size_t index = 0;
  while (index < want.size() && criterion_.admits(want[index], got[index])) {
    ++index;
  }
  const std::lock_guard lock(mutex_);
  ++operations_;
  if (index < want.size() && !first_) {
    first_ = Divergence{operation, scope.path(), pass,      actual.shape(),
                        index,     want[index],  got[index]};
  }
}

}  // namespace tandem
