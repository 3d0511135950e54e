// From plans to packed products: what each operation multiplies, and where its
// packed operands come from. Pure arithmetic on shapes and strides.
#pragma once

#include <tandem/ops/matmul_plan.h>
#include <tandem/ops/reduce_plan.h>

#include <cstddef>

#include "cuda/product.h"
#include "cuda/strided_source.h"

namespace tandem::cuda {

Product product_of(const MatmulPlan& plan);

/// The groups of a sum or mean as rows, times a column of ones; a mean is
/// scaled by the reciprocal of its extent.
Product product_of(const ReducePlan& plan);

/// Packed [batch..., m, k]; a matrix that is broadcast over the batch is
/// repeated. `origin` is the view's first element.
StridedSource left_source(const MatmulPlan& plan, const double* origin);

/// Packed [batch..., k, n].
StridedSource right_source(const MatmulPlan& plan, const double* origin);

/// Packed [groups, extent].
StridedSource group_source(const ReducePlan& plan, const double* origin);

/// So many ones.
StridedSource ones_source(std::size_t count);

}  // namespace tandem::cuda
