#include <tandem/autograd/functions.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/error.h>

#include <limits>
#include <utility>

namespace tandem::nn {
namespace ag = autograd;
namespace {

// Draws from a copy, which replaces the caller's generator only on success.
Decoder draw(const DecoderConfig& config, SplitMix64& generator) {
  SplitMix64 copy = generator;
  Decoder decoder(config, initial_values(copy));
  generator = copy;
  return decoder;
}

// [vocabulary, width]
ag::Parameter head_table(const DecoderConfig& config,
                         const ag::Parameter& embedding,
                         const ParameterSource& source) {
  return config.tied_head ? embedding
                          : make_parameter(source, "head.weight",
                                           {config.vocabulary, config.width});
}

NamedParameters registry_of(const ag::Parameter& table,
                            const Backbone& backbone, const TextHead& head) {
  NamedParameters registry;
  registry.add("token_embedding.weight", table);
  backbone.register_parameters(registry);
  if (!head.table().is_same_node(table)) {
    registry.add("head.weight", head.table());
  }
  return registry;
}

}  // namespace

TextInputEncoder::TextInputEncoder(const ag::Parameter& table,
                                   std::size_t position_capacity)
    : table_(table), position_capacity_(position_capacity) {}

PreparedInput TextInputEncoder::encode(const std::vector<TokenId>& tokens,
                                       const Shape& shape,
                                       const ag::Context& context) const {
  check(tokens, shape);
  return {
      ag::gather_rows(table_, tokens, shape, context.scoped("token_embedding")),
      context};
}

void TextInputEncoder::check(const std::vector<TokenId>& tokens,
                             const Shape& shape) const {
  const auto reject = [&](const std::string& why) {
    throw ModelError("tokens: " + why + ": shape is " + to_string(shape));
  };
  if (shape.rank() != 2) reject("shape must be [batch, tokens]");
  if (shape[0] == 0) reject("batch is empty");
  if (shape[1] == 0) reject("there are no tokens");
  if (shape[1] > position_capacity_) {
    reject("more tokens than the " + std::to_string(position_capacity_) +
           " positions");
  }
  if (shape[0] > std::numeric_limits<std::size_t>::max() / shape[1]) {
    reject("count overflows");
  }
  const std::size_t count = shape[0] * shape[1];
  if (tokens.size() != count) {
    reject("count differs from shape: given are " +
           std::to_string(tokens.size()));
  }
  const std::size_t vocabulary = table_.shape()[0];
  for (std::size_t i = 0; i < count; ++i) {
    if (tokens[i] >= vocabulary) {
      reject("id is not in the vocabulary: position " + std::to_string(i) +
             " has id " + std::to_string(tokens[i]) + ", vocabulary is " +
             std::to_string(vocabulary));
    }
  }
}

DecoderBlock::DecoderBlock(const DecoderConfig& config,
                           const ParameterSource& source)
    : attention_norm_(config.width, config.rms_epsilon,
                      below("attention_norm", source)),
      attention_(config, below("attention", source)),
      ffn_norm_(config.width, config.rms_epsilon, below("ffn_norm", source)),
      ffn_(config.width, config.feed_forward_width, below("ffn", source)) {}

ag::Variable DecoderBlock::forward(const ag::Variable& x,
                                   const RotaryEmbedding& rotary,
                                   const ag::Context& context) const {
  const auto attended = attention_.forward(
      attention_norm_.forward(x, context.scoped("attention_norm")), rotary,
      context.scoped("attention"));  // [batch, tokens, width]
  const auto middle = ag::add(x, attended, context);
  const auto fed =
      ffn_.forward(ffn_norm_.forward(middle, context.scoped("ffn_norm")),
                   context.scoped("ffn"));
  return ag::add(middle, fed, context);
}

void DecoderBlock::register_parameters(const std::string& prefix,
                                       NamedParameters& registry) const {
  attention_norm_.register_parameters(prefix + ".attention_norm", registry);
  attention_.register_parameters(prefix + ".attention", registry);
  ffn_norm_.register_parameters(prefix + ".ffn_norm", registry);
  ffn_.register_parameters(prefix + ".ffn", registry);
}

Backbone::Backbone(const DecoderConfig& config, const ParameterSource& source)
    : rotary_(config.position_capacity, config.head_width, config.rope_base),
      blocks_([&] {
        std::vector<DecoderBlock> blocks;
        for (std::size_t b = 0; b < config.blocks; ++b) {
          blocks.emplace_back(config,
                              below("blocks." + std::to_string(b), source));
        }
        return blocks;
      }()),
      final_norm_(config.width, config.rms_epsilon,
                  below("final_norm", source)) {}

HiddenState Backbone::forward(const PreparedInput& input) const {
  ag::Variable x = input.vectors;  // [batch, tokens, width]
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    x = blocks_[b].forward(x, rotary_,
                           input.context.scoped("blocks." + std::to_string(b)));
  }
  return {final_norm_.forward(x, input.context.scoped("final_norm")),
          input.context};
}

void Backbone::register_parameters(NamedParameters& registry) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].register_parameters("blocks." + std::to_string(b), registry);
  }
  final_norm_.register_parameters("final_norm", registry);
}

ag::Variable TextHead::logits(const HiddenState& hidden) const {
  return ag::matmul_with_transpose(hidden.vectors, table_, false, true,
                                   hidden.context.scoped("head"));
}

ag::Variable TextHead::loss(const ag::Variable& logits,
                            const std::vector<TokenId>& targets,
                            const ag::Context& context) const {
  return ag::indexed_mean_nll(logits, 2, targets, context.scoped("loss"));
}

Decoder::Decoder(const DecoderConfig& config, SplitMix64& generator)
    : Decoder(draw(config, generator)) {}

Decoder::Decoder(const DecoderConfig& config, const ParameterSource& source)
    : config_(config.checked()),
      table_(make_parameter(source, "token_embedding.weight",
                            {config_.vocabulary, config_.width})),
      encoder_(table_, config_.position_capacity),
      backbone_(config_, source),
      head_(head_table(config_, table_, source)),
      parameters_(registry_of(table_, backbone_, head_)) {}

ag::Variable Decoder::logits(const std::vector<TokenId>& tokens,
                             const Shape& shape,
                             const ag::Context& context) const {
  return head_.logits(
      backbone_.forward(encoder_.encode(tokens, shape, context)));
}

ag::Variable Decoder::loss(const std::vector<TokenId>& tokens,
                           const Shape& shape,
                           const std::vector<TokenId>& targets,
                           const ag::Context& context) const {
  return head_.loss(logits(tokens, shape, context), targets, context);
}

}  // namespace tandem::nn
