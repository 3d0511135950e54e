// What happens to one product on its way through the device's memory.
#pragma once

#include <tandem/ops/reduce_plan.h>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "trace_operand.h"

namespace tandem::cli {

/// Plan, packed operands, arguments of the native call, every factor, product
/// and partial sum. Throws ShapeError, and UsageError where there is nothing to
/// follow or too much to show.
nlohmann::ordered_json trace_matmul(const TraceOperand& left,
                                    const TraceOperand& right,
                                    bool transpose_left, bool transpose_right);

/// A sum or mean: the groups as rows, times a column of ones.
nlohmann::ordered_json trace_reduction(Reduction reduction,
                                       const TraceOperand& operand,
                                       std::size_t axis);

}  // namespace tandem::cli
