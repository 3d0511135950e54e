#include "support/llama_golden.h"

#include <map>
#include <stdexcept>

namespace tandem::test {
namespace {

enum class Layout { as_it_is, transposed, rotary };

struct Source {
  std::string name;
  Layout layout;
};

// What stands for the part of a block of this name.
Source block_source(const std::string& part) {
  static const std::map<std::string, Source> sources{
      {"attention_norm.gain", {"input_layernorm.weight", Layout::as_it_is}},
      {"attention.query.weight", {"self_attn.q_proj.weight", Layout::rotary}},
      {"attention.key.weight", {"self_attn.k_proj.weight", Layout::rotary}},
      {"attention.value.weight",
       {"self_attn.v_proj.weight", Layout::transposed}},
      {"attention.output.weight",
       {"self_attn.o_proj.weight", Layout::transposed}},
      {"ffn_norm.gain", {"post_attention_layernorm.weight", Layout::as_it_is}},
      {"ffn.gate.weight", {"mlp.gate_proj.weight", Layout::transposed}},
      {"ffn.up.weight", {"mlp.up_proj.weight", Layout::transposed}},
      {"ffn.down.weight", {"mlp.down_proj.weight", Layout::transposed}},
  };
  return sources.at(part);
}

Source source_of(const std::string& name) {
  if (name == "token_embedding.weight") {
    return {"model.embed_tokens.weight", Layout::as_it_is};
  }
  if (name == "final_norm.gain") return {"model.norm.weight", Layout::as_it_is};
  const std::string prefix = "blocks.";
  const std::size_t dot = name.find('.', prefix.size());
  Source source = block_source(name.substr(dot + 1));
  source.name = "model.layers." +
                name.substr(prefix.size(), dot - prefix.size()) + "." +
                source.name;
  return source;
}

// Rows p and p + width/2 of each head become rows 2p and 2p + 1.
Tensor pair_up(const Tensor& weight, std::size_t head_width) {
  const std::size_t rows = weight.shape()[0];
  const std::size_t columns = weight.shape()[1];
  std::vector<double> paired(weight.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t head = row / head_width * head_width;
    const std::size_t within = row % head_width;
    const std::size_t from = head + within / 2 + within % 2 * (head_width / 2);
    for (std::size_t column = 0; column < columns; ++column) {
      paired[row * columns + column] = weight.at({from, column});
    }
  }
  return Tensor(weight.shape(), paired);
}

}  // namespace

LlamaGolden::LlamaGolden(const std::filesystem::path& path)
    : file_(Safetensors::open(path)) {
  config_.vocabulary = number("vocab");
  config_.width = number("width");
  config_.heads = number("heads");
  config_.key_value_heads = number("kv_heads");
  config_.feed_forward_width = number("ffn");
  config_.blocks = number("layers");
  config_.position_capacity = input_shape()[1];
  config_.rope_base = std::stod(file_.metadata().at("rope_theta"));
  config_.rms_epsilon = std::stod(file_.metadata().at("eps"));
  config_ = config_.checked();
}

nn::Decoder LlamaGolden::decoder() const {
  return {config_, [this](const std::string& name, const Shape&) {
            return mapped("param", name);
          }};
}

Tensor LlamaGolden::gradient(const std::string& name) const {
  return mapped("grad", name);
}

std::vector<TokenId> LlamaGolden::ids(const std::string& name) const {
  const std::vector<std::int64_t> stored = file_.integers(name);
  return {stored.begin(), stored.end()};
}

std::size_t LlamaGolden::number(const std::string& key) const {
  return std::stoul(file_.metadata().at(key));
}

Tensor LlamaGolden::mapped(const std::string& kind,
                           const std::string& name) const {
  const Source source = source_of(name);
  const Tensor stored = file_.tensor(kind + "." + source.name);
  if (source.layout == Layout::as_it_is) return stored;
  const Tensor paired = source.layout == Layout::rotary
                            ? pair_up(stored, config_.head_width)
                            : stored;
  return paired.view().transpose(0, 1).materialize();
}

}  // namespace tandem::test
