#include "conformance/onnx/node.h"

#include "support/json_tensors.h"

namespace tandem::test::onnx {

bool Node::has(std::size_t i) const {
  return i < inputs() && !test_.at("inputs")[i].is_null();
}

Tensor Node::input(std::size_t i) const {
  return to_tensor(test_.at("inputs").at(i));
}

Shape Node::input_shape(std::size_t i) const {
  return Shape(to_sizes(test_.at("inputs").at(i).at("shape")));
}

std::string Node::input_type(std::size_t i) const {
  return test_.at("inputs").at(i).at("dtype").get<std::string>();
}

std::vector<std::int64_t> Node::integers(std::size_t i) const {
  return test_.at("inputs").at(i).at("data").get<std::vector<std::int64_t>>();
}

bool Node::has_attribute(const std::string& name) const {
  return test_.at("attrs").contains(name);
}

std::int64_t Node::attribute(const std::string& name,
                             std::int64_t other) const {
  return test_.at("attrs").value(name, other);
}

double Node::attribute(const std::string& name, double other) const {
  return test_.at("attrs").value(name, other);
}

std::string Node::attribute(const std::string& name,
                            const std::string& other) const {
  return test_.at("attrs").value(name, other);
}

std::vector<std::size_t> Node::sizes_attribute(const std::string& name) const {
  return to_sizes(test_.at("attrs").at(name));
}

void Node::takes_at_most(std::size_t count) const {
  for (std::size_t i = count; i < inputs(); ++i) {
    if (has(i)) throw Unsupported(op() + " with input " + std::to_string(i));
  }
}

std::size_t axis_of(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(
      axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

Tensor reshaped(const TensorView& view, const Shape& shape) {
  return view.materialize().reshape(shape);
}

Outputs run(const Node& node) {
  for (const auto family :
       {run_elementwise, run_rearranging, run_reduction, run_normalization,
        run_product, run_rotary, run_attention, run_loss}) {
    if (auto outputs = family(node)) return *std::move(outputs);
  }
  throw Unsupported("no operation " + node.op());
}

}  // namespace tandem::test::onnx
