// Decoder: token ids -> prepared vectors -> backbone -> text head -> loss.
#pragma once

#include <tandem/autograd/context.h>
#include <tandem/autograd/parameter.h>
#include <tandem/autograd/variable.h>
#include <tandem/export.h>
#include <tandem/nn/decoder_config.h>
#include <tandem/nn/layers.h>
#include <tandem/nn/parameters.h>
#include <tandem/nn/random.h>
#include <tandem/text/token.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tandem::nn {

/// What the backbone takes: vectors, whatever they were made from, and the
/// context that all that follows runs in.
struct PreparedInput {
  autograd::Variable vectors;  ///< [batch, tokens, width]
  autograd::Context context;
};

/// What the backbone gives.
struct HiddenState {
  autograd::Variable vectors;  ///< [batch, tokens, width]
  autograd::Context context;
};

/// Looks tokens up in the embedding table.
class TANDEM_API TextInputEncoder {
 public:
  TextInputEncoder(const autograd::Parameter& table,
                   std::size_t position_capacity);

  /// `tokens` row-major of shape [batch, tokens]. Throws ModelError, in this
  /// order: rank is not 2; no batch; no tokens; more tokens than positions; the
  /// count overflows; the count differs; an id is not in the vocabulary.
  PreparedInput encode(const std::vector<TokenId>& tokens, const Shape& shape,
                       const autograd::Context& context = {}) const;
  const autograd::Parameter& table() const { return table_; }

 private:
  void check(const std::vector<TokenId>& tokens, const Shape& shape) const;

  autograd::Parameter table_;
  std::size_t position_capacity_;
};

/// x + attention(norm(x)), then x + ffn(norm(x)).
class TANDEM_API DecoderBlock {
 public:
  DecoderBlock(const DecoderConfig& config, const ParameterSource& source);

  autograd::Variable forward(const autograd::Variable& x,
                             const RotaryEmbedding& rotary,
                             const autograd::Context& context) const;
  void register_parameters(const std::string& prefix,
                           NamedParameters& registry) const;

 private:
  RmsNorm attention_norm_;
  CausalAttention attention_;
  RmsNorm ffn_norm_;
  SwiGlu ffn_;
};

/// The blocks and the final norm. It knows neither tokens nor devices.
class TANDEM_API Backbone {
 public:
  Backbone(const DecoderConfig& config, const ParameterSource& source);

  HiddenState forward(const PreparedInput& input) const;
  const RotaryEmbedding& rotary() const { return rotary_; }
  void register_parameters(NamedParameters& registry) const;

 private:
  RotaryEmbedding rotary_;
  std::vector<DecoderBlock> blocks_;
  RmsNorm final_norm_;
};

/// Scores every token by its row of a table: the embedding table itself where
/// the head is tied.
class TANDEM_API TextHead {
 public:
  /// table [vocabulary, width]
  explicit TextHead(const autograd::Parameter& table) : table_(table) {}

  /// [batch, tokens, vocabulary]
  autograd::Variable logits(const HiddenState& hidden) const;
  /// The mean negative log-likelihood of one target per token, in nats.
  autograd::Variable loss(const autograd::Variable& logits,
                          const std::vector<TokenId>& targets,
                          const autograd::Context& context) const;
  const autograd::Parameter& table() const { return table_; }

 private:
  autograd::Parameter table_;
};

/// The whole model. Copying is cheap and shares the parameters.
class TANDEM_API Decoder {
 public:
  /// Draws initial values; a failed construction leaves the generator as it
  /// was. Throws ModelError.
  Decoder(const DecoderConfig& config, SplitMix64& generator);
  /// Takes values from `source`, asked by full name.
  Decoder(const DecoderConfig& config, const ParameterSource& source);

  const DecoderConfig& config() const { return config_; }
  const TextInputEncoder& encoder() const { return encoder_; }
  const Backbone& backbone() const { return backbone_; }
  const TextHead& head() const { return head_; }
  /// In registry order, a tied table once; a table of the head's own,
  /// `head.weight`, comes last.
  const NamedParameters& parameters() const& { return parameters_; }
  NamedParameters parameters() const&& { return parameters_; }

  /// tokens [batch, tokens] -> [batch, tokens, vocabulary]
  autograd::Variable logits(const std::vector<TokenId>& tokens,
                            const Shape& shape,
                            const autograd::Context& context = {}) const;
  autograd::Variable loss(const std::vector<TokenId>& tokens,
                          const Shape& shape,
                          const std::vector<TokenId>& targets,
                          const autograd::Context& context = {}) const;

 private:
  DecoderConfig config_;
  autograd::Parameter table_;  // [vocabulary, width]
  TextInputEncoder encoder_;
  Backbone backbone_;
  TextHead head_;
  NamedParameters parameters_;
};

}  // namespace tandem::nn
