#include "nn/llama_layout.h"

#include <map>

#include "tensor/storage_access.h"

namespace tandem::nn {
namespace {

const std::map<std::string, WeightPlace>& model_places() {
  using enum WeightLayout;
  static const std::map<std::string, WeightPlace> places{
      {"token_embedding.weight", {"model.embed_tokens.weight", same}},
      {"final_norm.gain", {"model.norm.weight", same}},
      {"head.weight", {"lm_head.weight", same}},
  };
  return places;
}

const std::map<std::string, WeightPlace>& block_places() {
  using enum WeightLayout;
  static const std::map<std::string, WeightPlace> places{
      {"attention_norm.gain", {"input_layernorm.weight", same}},
      {"attention.query.weight", {"self_attn.q_proj.weight", rotary}},
      {"attention.key.weight", {"self_attn.k_proj.weight", rotary}},
      {"attention.value.weight", {"self_attn.v_proj.weight", transposed}},
      {"attention.output.weight", {"self_attn.o_proj.weight", transposed}},
      {"ffn_norm.gain", {"post_attention_layernorm.weight", same}},
      {"ffn.gate.weight", {"mlp.gate_proj.weight", transposed}},
      {"ffn.up.weight", {"mlp.up_proj.weight", transposed}},
      {"ffn.down.weight", {"mlp.down_proj.weight", transposed}},
  };
  return places;
}

// The file's row for the decoder's column `output`.
std::size_t stored_row(std::size_t output, WeightLayout layout,
                       std::size_t head_width) {
  if (layout != WeightLayout::rotary) return output;
  const std::size_t within = output % head_width;
  return output - within + within / 2 + within % 2 * (head_width / 2);
}

}  // namespace

WeightPlace place_of(const std::string& parameter) {
  const std::string blocks = "blocks.";
  if (parameter.compare(0, blocks.size(), blocks) != 0) {
    return model_places().at(parameter);
  }
  const std::size_t dot = parameter.find('.', blocks.size());
  const WeightPlace& place = block_places().at(parameter.substr(dot + 1));
  const std::string block =
      parameter.substr(blocks.size(), dot - blocks.size());
  return {"model.layers." + block + "." + place.name, place.layout};
}

Shape stored_shape(const Shape& shape, WeightLayout layout) {
  return layout == WeightLayout::same ? shape : Shape{shape[1], shape[0]};
}

Tensor from_stored(const Tensor& stored, WeightLayout layout,
                   std::size_t head_width) {
  if (layout == WeightLayout::same) return stored;
  const std::size_t outputs = stored.shape()[0];
  const std::size_t inputs = stored.shape()[1];
  TensorBuilder value(Shape{inputs, outputs}, "model");
  for (std::size_t output = 0; output < outputs; ++output) {
    const std::size_t row = stored_row(output, layout, head_width);
    const double* from = stored.values().data() + row * inputs;
    for (std::size_t input = 0; input < inputs; ++input) {
      value.values()[input * outputs + output] = from[input];
    }
  }
  return value.finish();
}

Tensor to_stored(const Tensor& value, WeightLayout layout,
                 std::size_t head_width) {
  if (layout == WeightLayout::same) return value;
  const std::size_t inputs = value.shape()[0];
  const std::size_t outputs = value.shape()[1];
  TensorBuilder stored(Shape{outputs, inputs}, "model");
  for (std::size_t output = 0; output < outputs; ++output) {
    const std::size_t row = stored_row(output, layout, head_width);
    double* to = stored.values() + row * inputs;
    for (std::size_t input = 0; input < inputs; ++input) {
      to[input] = value.values()[input * outputs + output];
    }
  }
  return stored.finish();
}

}  // namespace tandem::nn
