// Adjoint: what has flowed to one node so far.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/tensor/view.h>

#include <optional>

namespace tandem::autograd {

/// The sum of contributions to one node's derivative, in the order they came,
/// starting from zeros. It is packed, finite, and has no -0.
class Adjoint {
 public:
  bool is_empty() const { return !sum_; }
  /// Throws NonfiniteError naming `operation` where the sum is not finite.
  /// What the execution's device has no part in runs on its threads.
  void add(const TensorView& contribution, const char* operation,
           const ExecutionContext& execution);
  /// Adds values out of another adjoint, whose promises hold for them already.
  void add_settled(const TensorView& contribution, const char* operation,
                   const ExecutionContext& execution);
  /// The sum; leaves this empty.
  Tensor take();

 private:
  std::optional<Tensor> sum_;
};

}  // namespace tandem::autograd
