// Joining along an axis, and adding up what a broadcast repeated.
#include <algorithm>

#include "cpu/loop_nest.h"
#include "cpu/reference.h"
#include "cpu/rules.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {

Tensor apply(const ConcatPlan& plan, Operands operands, const Choice&) {
  TensorBuilder builder(plan.output_shape());
  const Strides out_strides =
      row_major_strides(plan.output_shape(), plan.name());
  double* out = builder.values();
  for (const TensorView& operand : operands) {
    const auto extent =
        static_cast<std::ptrdiff_t>(operand.shape()[plan.axis()]);
    if (operand.size() > 0) {
      const double* in = StorageAccess::origin(operand);
      const LoopNest<2> nest(operand.shape(),
                             {&operand.strides(), &out_strides});
      nest.run([&](const auto& offsets, std::size_t count, const auto& steps) {
        for (std::size_t i = 0; i < count; ++i) {
          const auto step = static_cast<std::ptrdiff_t>(i);
          out[offsets[1] + step * steps[1]] = in[offsets[0] + step * steps[0]];
        }
      });
    }
    out += extent * out_strides[plan.axis()];
  }
  return builder.finish();
}

Tensor apply(const SumToPlan& plan, Operands operands, const Choice&) {
  TensorBuilder builder(plan.output_shape());
  double* out = builder.values();
  std::fill_n(out, builder.size(), 0.0);
  if (operands[0].size() == 0) return builder.finish();
  const double* in = StorageAccess::origin(operands[0]);
  const LoopNest<2> nest(operands[0].shape(),
                         {&operands[0].strides(), &plan.output_strides()});
  nest.run([&](const auto& offsets, std::size_t count, const auto& steps) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto step = static_cast<std::ptrdiff_t>(i);
      out[offsets[1] + step * steps[1]] += in[offsets[0] + step * steps[0]];
    }
  });
  std::transform(out, out + builder.size(), out, reference::canonical);
  return builder.finish();
}

}  // namespace tandem::cpu
