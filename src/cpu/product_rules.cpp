// Products and reductions.
#include "cpu/reference.h"
#include "cpu/rules.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {

Tensor apply(const MatmulPlan& plan, Operands operands, const Choice&) {
  TensorBuilder builder(plan.output_shape());
  reference::matmul(plan, StorageAccess::origin(operands[0]),
                    StorageAccess::origin(operands[1]), builder.values());
  return builder.finish();
}

Tensor apply(const ReducePlan& plan, Operands operands, const Choice&) {
  TensorBuilder builder(plan.output_shape());
  reference::reduce(plan, StorageAccess::origin(operands[0]), builder.values());
  return builder.finish();
}

}  // namespace tandem::cpu
