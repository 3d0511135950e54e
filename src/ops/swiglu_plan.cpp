#include <tandem/ops/swiglu_plan.h>
#include <tandem/tensor/error.h>
#include <tandem/tensor/view.h>

#include <algorithm>
#include <string>

namespace tandem {
namespace {

bool fits(std::span<const TensorView> operands, std::size_t needed) {
  return operands.size() == needed &&
         std::all_of(operands.begin(), operands.end(), [&](const auto& view) {
           return view.shape() == operands[0].shape();
         });
}

}  // namespace

SwigluPlan SwigluPlan::make(SwigluPass pass,
                            std::span<const TensorView> operands) {
  if (!fits(operands, pass == SwigluPass::forward ? 2 : 3)) {
    std::string given;
    for (const TensorView& operand : operands) {
      given += " ";
      given += to_string(operand.shape());
    }
    throw ShapeError("swiglu: shapes differ:" + given);
  }
  SwigluPlan plan;
  plan.pass_ = pass;
  for (const TensorView& operand : operands) {
    plan.operands_[plan.operand_count_++] = Layout::of(operand);
  }
  const TensorView& gate = operands[0];
  plan.count_ = gate.size();
  plan.output_shape_ =
      pass == SwigluPass::forward ? gate.shape() : Shape{2 * plan.count_};
  plan.output_size_ = element_count(plan.output_shape_, "swiglu");
  return plan;
}

const char* SwigluPlan::name() const {
  return pass_ == SwigluPass::forward ? "swiglu" : "swiglu_reverse";
}

}  // namespace tandem
