// Rows picked, scattered and rotated.
#include <algorithm>

#include "cpu/loop_nest.h"
#include "cpu/rules.h"
#include "cpu/scalar_functions.h"
#include "cpu/softmax_row.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

// Calls row(values, index) for each row along the last axis, in order.
template <class RowFunction>
void for_each_row(const TensorView& view, RowFunction function) {
  const std::size_t last = view.rank() - 1;
  Strides strides = view.strides();
  strides.erase(last);
  std::size_t index = 0;
  const LoopNest<1> rows(view.shape().without_axis(last), {&strides});
  rows.run([&](auto offsets, std::size_t count, const auto& jumps) {
    for (std::size_t i = 0; i < count; ++i) {
      function(Row<const double>{StorageAccess::origin(view) + offsets[0],
                                 view.strides()[last]},
               index++);
      offsets[0] += jumps[0];
    }
  });
}

Row<const double> row_of(const TensorView& matrix, std::size_t row) {
  return {StorageAccess::origin(matrix) +
              static_cast<std::ptrdiff_t>(row) * matrix.strides()[0],
          matrix.strides()[1]};
}

}  // namespace

Tensor apply(const GatherPlan& plan, Operands operands, const Choice&) {
  const std::size_t width = operands[0].shape()[1];
  TensorBuilder builder(plan.output_shape());
  double* out = builder.values();
  for (const std::size_t index : plan.indices()) {
    const auto row = row_of(operands[0], index);
    for (std::size_t i = 0; i < width; ++i) *out++ = row[i];
  }
  return builder.finish();
}

Tensor apply(const ScatterPlan& plan, Operands operands, const Choice&) {
  const std::size_t width = plan.output_shape()[1];
  TensorBuilder builder(plan.output_shape());
  std::fill_n(builder.values(), builder.size(), 0.0);
  if (plan.indices().empty()) return builder.finish();
  for_each_row(operands[0], [&](Row<const double> row, std::size_t index) {
    double* out = builder.values() + plan.indices()[index] * width;
    for (std::size_t i = 0; i < width; ++i) out[i] += row[i];
  });
  return builder.finish();
}

Tensor apply(const RotaryPlan& plan, Operands operands, const Choice& choice) {
  constexpr std::size_t grain = 8192;  // elements worth waking a thread for
  const Shape& shape = plan.output_shape();
  const std::size_t width = shape[shape.rank() - 1];
  const std::size_t tokens = shape[shape.rank() - 2];
  const double sign = plan.rotation() == Rotation::forward ? 1.0 : -1.0;
  TensorBuilder builder(shape);
  double* const output = builder.values();
  const auto rotate = [&](Row<const double> row, double* out) {
    const auto index = static_cast<std::size_t>(out - output) / width;
    const std::size_t position = plan.first_position() + index % tokens;
    const auto cosines = row_of(operands[1], position);
    const auto sines = row_of(operands[2], position);
    for (std::size_t pair = 0; 2 * pair < width; ++pair) {
      const double l = row[2 * pair];
      const double r = row[2 * pair + 1];
      const double c = cosines[pair];
      const double s = sign * sines[pair];
      *out++ = positive_zero(l * c - r * s);
      *out++ = positive_zero(l * s + r * c);
    }
  };
  const std::size_t last = shape.rank() - 1;
  Strides in_strides = operands[0].strides();
  Strides out_strides = row_major_strides(shape, plan.name());
  const std::ptrdiff_t step = in_strides[last];
  in_strides.erase(last);
  out_strides.erase(last);
  const double* const input = StorageAccess::origin(operands[0]);
  const LoopNest<2> rows(shape.without_axis(last), {&in_strides, &out_strides});
  rows.run_parallel(std::max<std::size_t>(1, grain / width), choice.threads,
                    [&](auto offsets, std::size_t count, const auto& jumps) {
                      for (std::size_t i = 0; i < count; ++i) {
                        rotate({input + offsets[0], step}, output + offsets[1]);
                        offsets[0] += jumps[0];
                        offsets[1] += jumps[1];
                      }
                    });
  return builder.finish();
}

}  // namespace tandem::cpu
