// autograd::Context: whether a graph is recorded, and where its operations run.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/export.h>

#include <string_view>

namespace tandem::autograd {

/// Passed last to every differentiable function. Recording and execution are
/// independent choices; the default records and runs on the CPU.
class TANDEM_API Context {
 public:
  Context() = default;

  /// Results remember how they were made.
  static Context recording();
  /// The same checks, but results keep no operands and are untracked.
  static Context no_grad();

  Context with_execution(ExecutionContext execution) const;
  /// Names what runs, for reports; see ExecutionContext::scoped.
  Context scoped(std::string_view name) const;

  bool is_recording() const { return recording_; }
  const ExecutionContext& execution() const { return execution_; }

 private:
  bool recording_ = true;
  ExecutionContext execution_;
};

}  // namespace tandem::autograd
