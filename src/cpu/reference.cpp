#include "cpu/reference.h"

#include <tandem/tensor/float16.h>
#include <tandem/tensor/shape.h>

#include <cmath>
#include <limits>

#include "cpu/loop_nest.h"

namespace tandem::cpu::reference {
namespace {

double product_cell(const double* left, std::ptrdiff_t left_stride,
                    const double* right, std::ptrdiff_t right_stride,
                    std::size_t count) {
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    sum += *left * *right;
    left += left_stride;
    right += right_stride;
  }
  return sum;
}

// Exact after the one rounding: binary32 holds every value of both formats.
template <class Format>
float rounded_to(double value) {
  return static_cast<float>(Format::from_double(value).to_double());
}

template <class Format>
double mixed_product_cell(const double* left, std::ptrdiff_t left_stride,
                          const double* right, std::ptrdiff_t right_stride,
                          std::size_t count) {
  float sum = 0.0F;
  for (std::size_t k = 0; k < count; ++k) {
    sum += rounded_to<Format>(*left) * rounded_to<Format>(*right);
    left += left_stride;
    right += right_stride;
  }
  return Format::from_double(static_cast<double>(sum)).to_double();
}

// One call of cell(left, left stride, right, right stride, count) per output.
template <class Cell>
void for_each_cell(const MatmulPlan& plan, const double* left,
                   const double* right, double* output, Cell cell) {
  const LoopNest<2> cells(plan.output_shape(), {&plan.left_cell_strides(),
                                                &plan.right_cell_strides()});
  cells.run([&](auto offsets, std::size_t count, const auto& strides) {
    for (std::size_t i = 0; i < count; ++i) {
      *output++ = canonical(cell(left + offsets[0], plan.left_inner_stride(),
                                 right + offsets[1], plan.right_inner_stride(),
                                 plan.inner_size()));
      offsets[0] += strides[0];
      offsets[1] += strides[1];
    }
  });
}

double sum_group(const double* values, std::ptrdiff_t stride,
                 std::size_t count) {
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k, values += stride) sum += *values;
  return sum;
}

double max_group(const double* values, std::ptrdiff_t stride,
                 std::size_t count) {
  double best = *values;
  for (std::size_t k = 1; k < count && !std::isnan(best); ++k) {
    values += stride;
    if (*values > best || std::isnan(*values)) best = *values;
  }
  return best;
}

double reduce_group(const ReducePlan& plan, const double* values) {
  const std::size_t count = plan.axis_extent();
  const std::ptrdiff_t stride = plan.axis_stride();
  if (plan.reduction() == Reduction::max) {
    return max_group(values, stride, count);
  }
  const double sum = sum_group(values, stride, count);
  return canonical(plan.reduction() == Reduction::mean
                       ? sum / static_cast<double>(count)
                       : sum);
}

}  // namespace

double canonical(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

void matmul(const MatmulPlan& plan, const double* left, const double* right,
            double* output) {
  for_each_cell(plan, left, right, output, product_cell);
}

void mixed_matmul(const MatmulPlan& plan, MatmulPrecision precision,
                  const double* left, const double* right, double* output) {
  for_each_cell(plan, left, right, output,
                precision == MatmulPrecision::F16F32
                    ? mixed_product_cell<Float16>
                    : mixed_product_cell<Bfloat16>);
}

void reduce(const ReducePlan& plan, const double* input, double* output) {
  const LoopNest<1> groups(plan.group_shape(), {&plan.group_strides()});
  groups.run([&](auto offsets, std::size_t count, const auto& strides) {
    for (std::size_t i = 0; i < count; ++i) {
      *output++ = reduce_group(plan, input + offsets[0]);
      offsets[0] += strides[0];
    }
  });
}

}  // namespace tandem::cpu::reference
