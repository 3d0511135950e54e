// The rule of each operation, one function a plan. Backends never see an empty
// output or an inner extent of zero.
#pragma once

#include <tandem/ops/operation.h>

#include <span>

#include "cpu/cpu_backend.h"

namespace tandem::cpu {

using Operands = std::span<const TensorView>;

Tensor apply(const MatmulPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const ReducePlan& plan, Operands operands, const Choice& choice);
Tensor apply(const ElementwisePlan& plan, Operands operands,
             const Choice& choice);
Tensor apply(const SoftmaxPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const GatherPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const ScatterPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const RotaryPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const NllPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const ConcatPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const SumToPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const AttentionPlan& plan, Operands operands,
             const Choice& choice);
Tensor apply(const RmsNormPlan& plan, Operands operands, const Choice& choice);
Tensor apply(const SwigluPlan& plan, Operands operands, const Choice& choice);

}  // namespace tandem::cpu
