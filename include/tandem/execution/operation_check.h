// OperationCheck: finds the first operation whose device result leaves the
// criterion on equal inputs.
#pragma once

#include <tandem/execution/criterion.h>
#include <tandem/execution/scope.h>
#include <tandem/export.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

namespace tandem {

/// One element of one operation's result that is not what the CPU computes.
struct Divergence {
  std::string operation;  ///< such as `matmul`
  std::string scope;      ///< such as `blocks.1.attention.query`
  Pass pass = Pass::forward;
  Shape shape;            ///< of the result
  std::size_t index = 0;  ///< flat, row-major
  double expected = 0;    ///< the CPU's value
  double actual = 0;      ///< the device's
};

/// Collects what a context made by ExecutionContext::with_check finds. Threads
/// may share it.
class TANDEM_API OperationCheck {
 public:
  explicit OperationCheck(const Criterion& criterion = {});

  const Criterion& criterion() const { return criterion_; }
  /// How many operations were compared.
  std::size_t operations() const;
  /// The first divergence in the order of execution, if there was one.
  std::optional<Divergence> first_divergence() const;

  /// Compares a device's result with the CPU's. Called by the context.
  void compare(const char* operation, const Scope& scope, Pass pass,
               const Tensor& expected, const Tensor& actual);

 private:
  Criterion criterion_;
  mutable std::mutex mutex_;
  std::size_t operations_ = 0;
  std::optional<Divergence> first_;
};

}  // namespace tandem
