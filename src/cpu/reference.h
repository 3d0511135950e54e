// The plain loops of the specification. Everything faster is measured against
// them, bit for bit.
#pragma once

#include <tandem/execution/precision.h>
#include <tandem/ops/matmul_plan.h>
#include <tandem/ops/reduce_plan.h>

namespace tandem::cpu::reference {

/// A NaN result is stored as this one, because payload and sign of a computed
/// NaN differ between compilers.
double canonical(double value);

/// Each cell starts at 0 and adds left times right with k ascending; every
/// product and every sum is rounded on its own. `output` is packed row-major.
void matmul(const MatmulPlan& plan, const double* left, const double* right,
            double* output);

/// The same in a 16-bit format: every operand is rounded to it once and held in
/// binary32, in which products and sums are rounded; each cell's sum is then
/// rounded to the format. `precision` is not F64.
void mixed_matmul(const MatmulPlan& plan, MatmulPrecision precision,
                  const double* left, const double* right, double* output);

/// Each group starts at 0 and adds its elements in ascending order; a mean
/// divides the sum by the count; a maximum keeps the earlier value on ties and
/// the first NaN.
void reduce(const ReducePlan& plan, const double* input, double* output);

}  // namespace tandem::cpu::reference
