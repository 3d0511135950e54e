#include <tandem/ops/nll_plan.h>
#include <tandem/tensor/error.h>

#include <string>
#include <utility>

namespace tandem {
namespace {

[[noreturn]] void reject(const std::string& why) {
  throw ShapeError("indexed_mean_nll: " + why);
}

void check_targets(const Shape& logits, std::size_t axis,
                   const std::vector<std::size_t>& targets) {
  const std::size_t classes = logits[axis];
  if (classes == 0) {
    reject("there are no classes: logits are " + to_string(logits));
  }
  const std::size_t groups =
      element_count(logits.without_axis(axis), "indexed_mean_nll");
  if (targets.size() != groups) {
    reject("target count differs: logits are " + to_string(logits) + ", " +
           std::to_string(groups) + " groups, " +
           std::to_string(targets.size()) + " targets");
  }
  if (groups == 0) {
    reject("there are no targets: logits are " + to_string(logits));
  }
  for (std::size_t group = 0; group < groups; ++group) {
    if (targets[group] >= classes) {
      reject("target out of range: group " + std::to_string(group) +
             ", target " + std::to_string(targets[group]) + ", classes " +
             std::to_string(classes));
    }
  }
}

}  // namespace

NllPlan NllPlan::make(Nll function, std::initializer_list<TensorView> operands,
                      std::size_t axis, Indices targets) {
  const std::size_t needed = function == Nll::loss ? 1 : 2;
  if (operands.size() != needed) {
    reject("operand count differs: needs " + std::to_string(needed) +
           ", given are " + std::to_string(operands.size()));
  }
  NllPlan plan;
  plan.function_ = function;
  plan.axis_ = axis;
  for (const TensorView& operand : operands) {
    plan.operands_[plan.operand_count_++] = Layout::of(operand);
  }
  const Shape& logits = plan.operands_[0].shape;
  check_axis(logits, axis, "indexed_mean_nll");
  check_targets(logits, axis, *targets);
  if (function == Nll::reverse) {
    if (plan.operands_[1].shape.rank() != 0) {
      reject("upstream gradient is not a scalar: shape is " +
             to_string(plan.operands_[1].shape));
    }
    plan.output_shape_ = logits;
  }
  plan.targets_ = std::move(targets);
  plan.output_size_ = element_count(plan.output_shape_, "indexed_mean_nll");
  return plan;
}

const char* NllPlan::name() const {
  return function_ == Nll::loss ? "indexed_mean_nll"
                                : "indexed_mean_nll_reverse";
}

}  // namespace tandem
