// The layers of a decoder block: RMSNorm, rotary embedding, causal attention,
// SwiGLU.
#pragma once

#include <tandem/autograd/context.h>
#include <tandem/autograd/parameter.h>
#include <tandem/autograd/variable.h>
#include <tandem/export.h>
#include <tandem/nn/decoder_config.h>
#include <tandem/nn/parameters.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <string>

namespace tandem::nn {

/// x / sqrt(mean(x x) + epsilon) * gain over the last axis. Source: Zhang and
/// Sennrich, Root Mean Square Layer Normalization, 2019.
class TANDEM_API RmsNorm {
 public:
  RmsNorm(std::size_t width, double epsilon, const ParameterSource& source);

  /// [..., width] -> [..., width]. Throws ModelError where epsilon is 0 and a
  /// row's mean square is, too.
  autograd::Variable forward(const autograd::Variable& x,
                             const autograd::Context& context) const;
  void register_parameters(const std::string& prefix,
                           NamedParameters& registry) const;

 private:
  autograd::Parameter gain_;
  double epsilon_;
};

/// Turns adjacent pairs by position. Tables for all positions are built once.
class TANDEM_API RotaryEmbedding {
 public:
  RotaryEmbedding(std::size_t capacity, std::size_t head_width, double base);

  /// [..., tokens, head width], positions from `first_position`.
  autograd::Variable forward(const autograd::Variable& x,
                             const autograd::Context& context,
                             std::size_t first_position = 0) const;
  /// [capacity, head width / 2]
  const Tensor& cosines() const { return cosines_; }
  const Tensor& sines() const { return sines_; }

 private:
  Tensor cosines_;
  Tensor sines_;
};

/// Causal multi-head attention; query heads may share key/value heads.
class TANDEM_API CausalAttention {
 public:
  struct Inspection {
    autograd::Variable output;   ///< [batch, tokens, width]
    autograd::Variable weights;  ///< [batch, heads, tokens, tokens]
  };

  CausalAttention(const DecoderConfig& config, const ParameterSource& source);

  /// x is [batch, tokens, width]. Works tile by tile where the context's
  /// execution says so.
  autograd::Variable forward(const autograd::Variable& x,
                             const RotaryEmbedding& rotary,
                             const autograd::Context& context) const;
  /// The same by the dense path, with the weights each query gave each key.
  Inspection inspect(const autograd::Variable& x, const RotaryEmbedding& rotary,
                     const autograd::Context& context) const;
  void register_parameters(const std::string& prefix,
                           NamedParameters& registry) const;

 private:
  struct Lanes {
    autograd::Variable query;  // [batch, kv heads, group, tokens, head width]
    autograd::Variable key;    // [batch, kv heads, 1, tokens, head width]
    autograd::Variable value;  // as key
  };

  Inspection attend(const autograd::Variable& x, const RotaryEmbedding& rotary,
                    const autograd::Context& context) const;
  Lanes project(const autograd::Variable& x, const RotaryEmbedding& rotary,
                const autograd::Context& context) const;
  autograd::Variable split(const autograd::Variable& x, std::size_t group,
                           const autograd::Context& context) const;
  autograd::Variable weigh(const Lanes& lanes,
                           const autograd::Context& context) const;
  autograd::Variable join(const autograd::Variable& lanes,
                          const autograd::Context& context) const;

  DecoderConfig config_;
  autograd::Parameter query_;   // [width, heads head_width]
  autograd::Parameter key_;     // [width, key_value_heads head_width]
  autograd::Parameter value_;   // as key
  autograd::Parameter output_;  // [heads head_width, width]
};

/// (silu(x gate) * (x up)) down. Source: Shazeer, GLU Variants Improve
/// Transformer, 2020.
class TANDEM_API SwiGlu {
 public:
  SwiGlu(std::size_t width, std::size_t hidden_width,
         const ParameterSource& source);

  /// [..., width] -> [..., width]
  autograd::Variable forward(const autograd::Variable& x,
                             const autograd::Context& context) const;
  void register_parameters(const std::string& prefix,
                           NamedParameters& registry) const;

 private:
  autograd::Parameter gate_;  // [width, hidden]
  autograd::Parameter up_;    // [width, hidden]
  autograd::Parameter down_;  // [hidden, width]
};

}  // namespace tandem::nn
