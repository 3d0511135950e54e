// The CPU backend: the rule of every operation, specified to the last bit.
#pragma once

#include <tandem/execution/precision.h>
#include <tandem/ops/operation.h>

#include <cstddef>
#include <span>

namespace tandem::cpu {

/// What a context chose of the CPU's ways to run.
struct Choice {
  MatmulPrecision precision = MatmulPrecision::F64;
  std::size_t threads = 0;  ///< 0: all cores
};

/// Runs a checked operation on operands of its layouts. The output is not
/// empty, nor is a product's or sum's inner extent.
Tensor run(const Operation& operation, std::span<const TensorView> operands,
           const Choice& choice);

}  // namespace tandem::cpu
