#include <tandem/ops/rms_norm_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {
namespace {

bool fits(std::span<const TensorView> operands) {
  const Shape& x = operands[0].shape();
  if (x.rank() == 0) return false;
  const std::size_t last = x.rank() - 1;
  return operands[1].shape() == x.with_extent(last, 1) &&
         operands[2].shape() == Shape{x[last]} &&
         (operands.size() == 3 || operands[3].shape() == x);
}

}  // namespace

RmsNormPlan RmsNormPlan::make(RmsNormPass pass,
                              std::span<const TensorView> operands,
                              double epsilon) {
  const std::size_t needed = pass == RmsNormPass::scale ? 3 : 4;
  if (operands.size() != needed || !fits(operands)) {
    std::string given;
    for (const TensorView& operand : operands) {
      given += " ";
      given += to_string(operand.shape());
    }
    throw ShapeError("rms_norm: shapes do not go together:" + given);
  }
  RmsNormPlan plan;
  plan.pass_ = pass;
  plan.epsilon_ = epsilon;
  for (const TensorView& operand : operands) {
    plan.operands_[plan.operand_count_++] = Layout::of(operand);
  }
  plan.count_ = operands[0].size();
  plan.output_shape_ = pass == RmsNormPass::scale
                           ? operands[0].shape()
                           : Shape{2 * plan.count_ + plan.width()};
  plan.output_size_ = element_count(plan.output_shape_, "rms_norm");
  return plan;
}

const char* RmsNormPlan::name() const {
  return pass_ == RmsNormPass::scale ? "rms_norm" : "rms_norm_reverse";
}

}  // namespace tandem
