#include <tandem/ops/softmax_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {
namespace {

const char* name_of(Softmax function) {
  switch (function) {
    case Softmax::softmax:
      return "softmax";
    case Softmax::log_softmax:
      return "log_softmax";
    case Softmax::causal_softmax:
      return "causal_softmax";
    case Softmax::softmax_reverse:
      return "softmax_reverse";
    case Softmax::log_softmax_reverse:
      return "log_softmax_reverse";
    case Softmax::causal_softmax_reverse:
      return "causal_softmax_reverse";
  }
  return "softmax";
}

bool is_reverse(Softmax function) {
  return function == Softmax::softmax_reverse ||
         function == Softmax::log_softmax_reverse ||
         function == Softmax::causal_softmax_reverse;
}

void check_count(std::size_t given, std::size_t needed, const char* name) {
  if (given == needed) return;
  throw ShapeError(std::string(name) + ": operand count differs: needs " +
                   std::to_string(needed) + ", given are " +
                   std::to_string(given));
}

void check_causal(const Shape& shape, const char* name) {
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string(name) + ": " + why + ": shape is " +
                     to_string(shape));
  };
  if (shape.rank() < 2) reject("needs at least two axes");
  const std::size_t keys = shape[shape.rank() - 1];
  if (shape[shape.rank() - 2] != keys) reject("queries and keys differ");
  if (keys == 0) reject("needs at least one token");
}

}  // namespace

SoftmaxPlan SoftmaxPlan::make(Softmax function,
                              std::initializer_list<TensorView> operands,
                              std::size_t axis, double scale) {
  check_count(operands.size(), is_reverse(function) ? 2 : 1, name_of(function));
  SoftmaxPlan plan;
  plan.function_ = function;
  plan.axis_ = axis;
  plan.scale_ = plan.is_causal() ? scale : 1.0;
  for (const TensorView& operand : operands) {
    plan.operands_[plan.operand_count_++] = Layout::of(operand);
  }
  const Shape& shape = plan.output_shape();
  if (plan.is_causal()) check_causal(shape, plan.name());
  check_axis(shape, axis, plan.name());
  if (plan.is_causal() && axis + 1 != shape.rank()) {
    throw ShapeError(std::string(plan.name()) +
                     ": needs the last axis: axis is " + std::to_string(axis) +
                     ", shape is " + to_string(shape));
  }
  for (const Layout& operand : plan.operands()) {
    if (!(operand.shape == shape)) {
      throw ShapeError(std::string(plan.name()) + ": shapes differ: result " +
                       to_string(shape) + ", upstream gradient " +
                       to_string(operand.shape));
    }
  }
  plan.output_size_ = element_count(shape, plan.name());
  return plan;
}

const char* SoftmaxPlan::name() const { return name_of(function_); }

bool SoftmaxPlan::is_causal() const {
  return function_ == Softmax::causal_softmax ||
         function_ == Softmax::causal_softmax_reverse;
}

}  // namespace tandem
