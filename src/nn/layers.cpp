#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>
#include <tandem/nn/layers.h>

#include <cmath>
#include <span>

#include "cpu/scalar_functions.h"
#include "tensor/storage_access.h"

namespace tandem::nn {
namespace ag = autograd;
namespace {

// [batch, kv heads, group, tokens, head_width] packed as `shape`, which is
// [batch, tokens, heads head_width].
TensorView merged(const TensorView& lanes, const Shape& shape) {
  return lanes.permute({0, 3, 1, 2, 4}).materialize().reshape(shape);
}

// One step of the graph that moves values and computes none.
template <class Forward, class Undo>
ag::Variable rearrange(const char* name, const ag::Variable& x,
                       const ag::Context& context, Forward forward, Undo undo) {
  return ag::apply(
      name, {x},
      [forward](std::span<const TensorView> in, const ExecutionContext&) {
        return forward(in[0]);
      },
      [undo](const ag::ReverseCall& call) {
        return ag::Contributions{undo(call.upstream, call.operands[0].shape())};
      },
      context);
}

}  // namespace

RmsNorm::RmsNorm(std::size_t width, double epsilon,
                 const ParameterSource& source)
    : gain_(make_parameter(source, "gain", {width})), epsilon_(epsilon) {}

ag::Variable RmsNorm::forward(const ag::Variable& x,
                              const ag::Context& context) const {
  return ag::rms_norm(x, gain_, epsilon_, context);
}

void RmsNorm::register_parameters(const std::string& prefix,
                                  NamedParameters& registry) const {
  registry.add(prefix + ".gain", gain_);
}

RotaryEmbedding::RotaryEmbedding(std::size_t capacity, std::size_t head_width,
                                 double base) {
  const std::size_t pairs = head_width / 2;
  TensorBuilder cosines(Shape{capacity, pairs}, "rotary embedding");
  TensorBuilder sines(Shape{capacity, pairs}, "rotary embedding");
  for (std::size_t position = 0; position < capacity; ++position) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double exponent =
          (-2.0 * static_cast<double>(pair)) / static_cast<double>(head_width);
      const double angle =
          static_cast<double>(position) * std::pow(base, exponent);
      const std::size_t at = position * pairs + pair;
      cosines.values()[at] = cpu::positive_zero(std::cos(angle));
      sines.values()[at] = cpu::positive_zero(std::sin(angle));
    }
  }
  cosines_ = cosines.finish();
  sines_ = sines.finish();
}

ag::Variable RotaryEmbedding::forward(const ag::Variable& x,
                                      const ag::Context& context,
                                      std::size_t first_position) const {
  return ag::rotary_pairs(x, cosines_, sines_, first_position, context);
}

CausalAttention::CausalAttention(const DecoderConfig& config,
                                 const ParameterSource& source)
    : config_(config),
      query_(make_parameter(source, "query.weight",
                            {config.width, config.heads * config.head_width})),
      key_(make_parameter(
          source, "key.weight",
          {config.width, config.key_value_heads * config.head_width})),
      value_(make_parameter(
          source, "value.weight",
          {config.width, config.key_value_heads * config.head_width})),
      output_(
          make_parameter(source, "output.weight",
                         {config.heads * config.head_width, config.width})) {}

ag::Variable CausalAttention::forward(const ag::Variable& x,
                                      const RotaryEmbedding& rotary,
                                      const ag::Context& context) const {
  const auto& tiles = context.execution().attention_tiles();
  if (!tiles) return attend(x, rotary, context).output;
  const Lanes lanes = project(x, rotary, context);
  const auto mixed = ag::tiled_attention(lanes.query, lanes.key, lanes.value,
                                         *tiles, context.scoped("mix"));
  return ag::matmul(join(mixed, context), output_, context.scoped("output"));
}

CausalAttention::Inspection CausalAttention::inspect(
    const ag::Variable& x, const RotaryEmbedding& rotary,
    const ag::Context& context) const {
  const auto [output, weights] = attend(x, rotary, context);
  const Shape& shape = weights.shape();
  return {output,
          ag::reshape(weights, {shape[0], config_.heads, shape[3], shape[4]},
                      context)};
}

// The weights as the lanes have them: [batch, kv heads, group, queries, keys].
CausalAttention::Inspection CausalAttention::attend(
    const ag::Variable& x, const RotaryEmbedding& rotary,
    const ag::Context& context) const {
  const Lanes lanes = project(x, rotary, context);
  const auto weights = weigh(lanes, context);
  const auto mixed = ag::matmul(weights, lanes.value, context.scoped("mix"));
  const auto output =
      ag::matmul(join(mixed, context), output_, context.scoped("output"));
  return {output, weights};
}

CausalAttention::Lanes CausalAttention::project(
    const ag::Variable& x, const RotaryEmbedding& rotary,
    const ag::Context& context) const {
  const std::size_t group = config_.heads / config_.key_value_heads;
  const auto query = ag::matmul(x, query_, context.scoped("query"));
  const auto key = ag::matmul(x, key_, context.scoped("key"));
  const auto value = ag::matmul(x, value_, context.scoped("value"));
  return {rotary.forward(split(query, group, context), context),
          rotary.forward(split(key, 1, context), context),
          split(value, 1, context)};
}

// [batch, tokens, heads head_width]
//   -> [batch, kv heads, group, tokens, head_width]
ag::Variable CausalAttention::split(const ag::Variable& x, std::size_t group,
                                    const ag::Context& context) const {
  return rearrange(
      "split_heads", x, context,
      [group, kv_heads = config_.key_value_heads,
       width = config_.head_width](const TensorView& in) {
        return in
            .reshape({in.shape()[0], in.shape()[1], kv_heads, group, width})
            .permute({0, 2, 3, 1, 4});
      },
      [](const TensorView& upstream, const Shape& shape) {
        return merged(upstream, shape);
      });
}

// [batch, kv heads, group, queries, keys]
ag::Variable CausalAttention::weigh(const Lanes& lanes,
                                    const ag::Context& context) const {
  const auto scores = ag::matmul_with_transpose(lanes.query, lanes.key, false,
                                                true, context.scoped("scores"));
  const double scale = 1.0 / std::sqrt(static_cast<double>(config_.head_width));
  return ag::scaled_causal_softmax(scores, scale, context);
}

// [batch, kv heads, group, tokens, head_width]
//   -> [batch, tokens, heads head_width]
ag::Variable CausalAttention::join(const ag::Variable& lanes,
                                   const ag::Context& context) const {
  return rearrange(
      "join_heads", lanes, context,
      [width = config_.heads * config_.head_width](const TensorView& in) {
        return merged(in, {in.shape()[0], in.shape()[3], width});
      },
      [](const TensorView& upstream, const Shape& shape) {
        return upstream
            .reshape({shape[0], shape[3], shape[1], shape[2], shape[4]})
            .permute({0, 2, 3, 1, 4});
      });
}

void CausalAttention::register_parameters(const std::string& prefix,
                                          NamedParameters& registry) const {
  registry.add(prefix + ".query.weight", query_);
  registry.add(prefix + ".key.weight", key_);
  registry.add(prefix + ".value.weight", value_);
  registry.add(prefix + ".output.weight", output_);
}

SwiGlu::SwiGlu(std::size_t width, std::size_t hidden_width,
               const ParameterSource& source)
    : gate_(make_parameter(source, "gate.weight", {width, hidden_width})),
      up_(make_parameter(source, "up.weight", {width, hidden_width})),
      down_(make_parameter(source, "down.weight", {hidden_width, width})) {}

ag::Variable SwiGlu::forward(const ag::Variable& x,
                             const ag::Context& context) const {
  const auto gate = ag::matmul(x, gate_, context.scoped("gate"));
  const auto up = ag::matmul(x, up_, context.scoped("up"));
  return ag::matmul(ag::swiglu(gate, up, context), down_,
                    context.scoped("down"));
}

void SwiGlu::register_parameters(const std::string& prefix,
                                 NamedParameters& registry) const {
  registry.add(prefix + ".gate.weight", gate_);
  registry.add(prefix + ".up.weight", up_);
  registry.add(prefix + ".down.weight", down_);
}

}  // namespace tandem::nn
