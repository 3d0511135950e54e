// What a person reads on stderr while a document goes to stdout.
#pragma once

#include <tandem/compare/comparison.h>
#include <tandem/execution/operation_check.h>

#include <string>

namespace tandem::cli {

/// Said on a terminal only.
void report_progress(const std::string& text);

/// A failed comparison is always said; a passed one on a terminal only.
void report_verdict(const compare::Comparison& comparison);

/// Names the first divergence, if there is one.
void report_divergence(const OperationCheck& check);

}  // namespace tandem::cli
