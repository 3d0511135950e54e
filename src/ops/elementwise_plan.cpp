#include <tandem/ops/elementwise_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {
namespace {

struct Description {
  const char* name;
  std::size_t operands;
};

Description describe(Elementwise function) {
  switch (function) {
    case Elementwise::negate:
      return {"neg", 1};
    case Elementwise::absolute:
      return {"abs", 1};
    case Elementwise::exp:
      return {"exp", 1};
    case Elementwise::log:
      return {"log", 1};
    case Elementwise::sqrt:
      return {"sqrt", 1};
    case Elementwise::sin:
      return {"sin", 1};
    case Elementwise::cos:
      return {"cos", 1};
    case Elementwise::tanh:
      return {"tanh", 1};
    case Elementwise::sigmoid:
      return {"sigmoid", 1};
    case Elementwise::silu:
      return {"silu", 1};
    case Elementwise::relu:
      return {"relu", 1};
    case Elementwise::add:
      return {"add", 2};
    case Elementwise::subtract:
      return {"sub", 2};
    case Elementwise::multiply:
      return {"mul", 2};
    case Elementwise::divide:
      return {"div", 2};
    case Elementwise::power:
      return {"pow", 2};
    case Elementwise::minimum:
      return {"minimum", 2};
    case Elementwise::maximum:
      return {"maximum", 2};
    case Elementwise::silu_reverse:
      return {"silu_reverse", 2};
    case Elementwise::relu_reverse:
      return {"relu_reverse", 2};
    case Elementwise::select:
      return {"where", 3};
  }
  return {"elementwise", 0};
}

}  // namespace

ElementwisePlan ElementwisePlan::make(Elementwise function,
                                      std::span<const TensorView> operands) {
  const auto [name, count] = describe(function);
  if (operands.size() != count) {
    throw ShapeError(std::string(name) + ": operand count differs: needs " +
                     std::to_string(count) + ", given are " +
                     std::to_string(operands.size()));
  }
  ElementwisePlan plan;
  plan.function_ = function;
  plan.output_shape_ = operands.front().shape();
  for (const TensorView& operand : operands) {
    plan.operands_[plan.operand_count_++] = Layout::of(operand);
    plan.output_shape_ =
        broadcast_shapes(plan.output_shape_, operand.shape(), name);
  }
  row_major_strides(plan.output_shape_, name);
  plan.output_size_ = element_count(plan.output_shape_, name);
  for (std::size_t i = 0; i < count; ++i) {
    plan.strides_[i] = broadcast_strides(plan.operands_[i], plan.output_shape_);
  }
  return plan;
}

const char* ElementwisePlan::name() const { return describe(function_).name; }

}  // namespace tandem
