#include "autograd/adjoint.h"

#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <string>
#include <utility>

#include "autograd/finite.h"
#include "execution/context_access.h"
#include "tensor/storage_access.h"

namespace tandem::autograd {
namespace {

[[noreturn]] void reject(const Tensor& sum, const char* operation) {
  const std::size_t at = *first_nonfinite(sum);
  throw NonfiniteError(std::string(operation) + " reverse", at,
                       sum.values()[at]);
}

// In one walk where both lie packed. `sum` is null for zeros.
Tensor add_finite(const Tensor* sum, const TensorView& contribution,
                  const char* operation, const ExecutionContext& execution) {
  const std::size_t threads = ContextAccess::threads(execution);
  if (!contribution.is_contiguous()) {
    const TensorView old = sum ? TensorView(*sum) : TensorView(0.0);
    Tensor added = tandem::add(old, contribution, execution);
    if (first_nonfinite(added, threads)) reject(added, operation);
    return added;
  }
  TensorBuilder builder(contribution.shape());
  const bool finite = add_packed(sum ? sum->values().data() : nullptr,
                                 StorageAccess::origin(contribution),
                                 builder.size(), builder.values(), threads);
  Tensor added = builder.finish();
  if (!finite) reject(added, operation);
  return added;
}

}  // namespace

void Adjoint::add(const TensorView& contribution, const char* operation,
                  const ExecutionContext& execution) {
  // Zeros and a value differ from the value only where it is -0.
  if (!sum_ && StorageAccess::is_whole(contribution) &&
      is_plain(contribution, ContextAccess::threads(execution))) {
    sum_ = contribution.materialize();
    return;
  }
  sum_ =
      add_finite(sum_ ? &*sum_ : nullptr, contribution, operation, execution);
}

void Adjoint::add_settled(const TensorView& contribution, const char* operation,
                          const ExecutionContext& execution) {
  if (sum_) return add(contribution, operation, execution);
  sum_ = contribution.materialize();
}

Tensor Adjoint::take() {
  Tensor sum = *std::move(sum_);
  sum_.reset();
  return sum;
}

}  // namespace tandem::autograd
