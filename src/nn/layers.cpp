#include <tandem/autograd/functions.h>
#include <tandem/nn/layers.h>
#include <tandem/tensor/error.h>

#include <cmath>

#include "cpu/scalar_functions.h"
#include "tensor/storage_access.h"

namespace tandem::nn {
namespace ag = autograd;
namespace {

void check_mean_squares(const ag::Variable& means) {
  const Tensor values = means.value();
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values.values()[row] == 0.0) {
      throw ModelError("rms_norm: mean square and epsilon are both 0: row " +
                       std::to_string(row));
    }
  }
}

}  // namespace

RmsNorm::RmsNorm(std::size_t width, double epsilon,
                 const ParameterSource& source)
    : gain_(make_parameter(source, "gain", {width})), epsilon_(epsilon) {}

ag::Variable RmsNorm::forward(const ag::Variable& x,
                              const ag::Context& context) const {
  const std::size_t last = x.shape().rank() - 1;
  const auto squares = ag::mul(x, x, context);
  const auto means = ag::mean_axis(squares, last, true, context);  // [..., 1]
  if (epsilon_ == 0.0) check_mean_squares(means);
  const auto stable = ag::add(means, ag::constant(epsilon_), context);
  const auto inverse = ag::exp(
      ag::mul(ag::log(stable, context), ag::constant(-0.5), context), context);
  return ag::mul(ag::mul(x, inverse, context), gain_, context);
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
  const Shape& shape = x.shape();
  const auto heads = ag::reshape(
      x,
      {shape[0], shape[1], config_.key_value_heads, group, config_.head_width},
      context);
  return ag::permute(heads, {0, 2, 3, 1, 4}, context);
}

// [batch, kv heads, group, queries, keys]
ag::Variable CausalAttention::weigh(const Lanes& lanes,
                                    const ag::Context& context) const {
  const auto scores = ag::matmul_with_transpose(lanes.query, lanes.key, false,
                                                true, context.scoped("scores"));
  const double scale = 1.0 / std::sqrt(static_cast<double>(config_.head_width));
  return ag::causal_softmax(ag::mul(scores, ag::constant(scale), context),
                            context);
}

// [batch, kv heads, group, tokens, head_width]
//   -> [batch, tokens, heads head_width]
ag::Variable CausalAttention::join(const ag::Variable& lanes,
                                   const ag::Context& context) const {
  const Shape& shape = lanes.shape();
  return ag::reshape(ag::permute(lanes, {0, 3, 1, 2, 4}, context),
                     {shape[0], shape[3], config_.heads * config_.head_width},
                     context);
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
  const auto gate =
      ag::silu(ag::matmul(x, gate_, context.scoped("gate")), context);
  const auto up = ag::matmul(x, up_, context.scoped("up"));
  return ag::matmul(ag::mul(gate, up, context), down_, context.scoped("down"));
}

void SwiGlu::register_parameters(const std::string& prefix,
                                 NamedParameters& registry) const {
  registry.add(prefix + ".gate.weight", gate_);
  registry.add(prefix + ".up.weight", up_);
  registry.add(prefix + ".down.weight", down_);
}

}  // namespace tandem::nn
