// An operand of a traced operation, as a user gives it.
#pragma once

#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <string>

namespace tandem::cli {

/// A view of `base`, whose storage is all of base's values.
struct TraceOperand {
  std::string name;
  Tensor base;
  TensorView view;
};

/// Reads nested lists, or {"shape": [...], "values": [...]} with, if wanted,
/// "permute": [axes], then "reverse": [axes], and "name". `given` is that JSON,
/// or the name of a file that holds it. `role` is the name unless there is one.
/// Throws UsageError or, of a file, FileError.
TraceOperand read_operand(const std::string& given, const std::string& role);

}  // namespace tandem::cli
