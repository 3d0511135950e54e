#include <tandem/ops/rotary_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {

RotaryPlan RotaryPlan::make(const TensorView& input, const TensorView& cosines,
                            const TensorView& sines, Rotation rotation,
                            std::size_t first_position) {
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string("rotary_pairs: ") + why + ": input is " +
                     to_string(input.shape()) + " from position " +
                     std::to_string(first_position) + ", cosines " +
                     to_string(cosines.shape()) + ", sines " +
                     to_string(sines.shape()));
  };
  if (input.rank() < 2) reject("input needs at least two axes");
  const std::size_t tokens = input.shape()[input.rank() - 2];
  const std::size_t width = input.shape()[input.rank() - 1];
  if (width % 2 != 0) reject("width is odd");
  if (cosines.rank() != 2 || !(cosines.shape() == sines.shape())) {
    reject("tables need two equal axes");
  }
  if (cosines.shape()[1] != width / 2) reject("pair counts differ");
  const std::size_t capacity = cosines.shape()[0];
  if (first_position > capacity || tokens > capacity - first_position) {
    reject("position exceeds the capacity");
  }
  RotaryPlan plan;
  plan.operands_ = {Layout::of(input), Layout::of(cosines), Layout::of(sines)};
  plan.rotation_ = rotation;
  plan.first_position_ = first_position;
  plan.output_size_ = element_count(input.shape(), "rotary_pairs");
  return plan;
}

}  // namespace tandem
