// NllPlan: the mean negative log-likelihood of indexed targets, and its
// reverse.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/gather_plan.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace tandem {

enum class Nll { loss, reverse };

/// The classes lie along one axis; groups are the other axes, row-major, with
/// one target each. loss (of the logits) has rank 0; reverse (of the logits and
/// the upstream gradient, rank 0) has the logits' shape.
class TANDEM_API NllPlan {
 public:
  /// Throws ShapeError where, in this order: the axis is out of range; there
  /// are no classes; the count of targets is not that of groups; there are no
  /// targets; a target is not below the count of classes.
  static NllPlan make(Nll function, std::initializer_list<TensorView> operands,
                      std::size_t axis, Indices targets);

  const char* name() const;
  Nll function() const { return function_; }
  std::span<const Layout> operands() const {
    return {operands_.data(), operand_count_};
  }
  std::size_t axis() const { return axis_; }
  const std::vector<std::size_t>& targets() const { return *targets_; }

  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

 private:
  NllPlan() = default;

  Nll function_ = Nll::loss;
  std::array<Layout, 2> operands_;
  std::size_t operand_count_ = 0;
  std::size_t axis_ = 0;
  Indices targets_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
