// Operation: any checked plan, as one value that a context can run.
#pragma once

#include <tandem/ops/attention_plan.h>
#include <tandem/ops/elementwise_plan.h>
#include <tandem/ops/gather_plan.h>
#include <tandem/ops/matmul_plan.h>
#include <tandem/ops/nll_plan.h>
#include <tandem/ops/rearrange_plan.h>
#include <tandem/ops/reduce_plan.h>
#include <tandem/ops/rms_norm_plan.h>
#include <tandem/ops/rotary_plan.h>
#include <tandem/ops/softmax_plan.h>
#include <tandem/ops/swiglu_plan.h>

#include <variant>

namespace tandem {

using Operation =
    std::variant<MatmulPlan, ReducePlan, ElementwisePlan, SoftmaxPlan,
                 GatherPlan, ScatterPlan, RotaryPlan, NllPlan, ConcatPlan,
                 SumToPlan, AttentionPlan, RmsNormPlan, SwigluPlan>;

}  // namespace tandem
