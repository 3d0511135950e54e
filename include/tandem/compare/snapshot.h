// Snapshot: what one device computes for a decoder, in full: every logit, the
// loss, every named gradient.
#pragma once

#include <tandem/compare/comparison.h>
#include <tandem/execution/context.h>
#include <tandem/export.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/tensor.h>
#include <tandem/text/token.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tandem::compare {

/// A batch of token rows, and the token that follows each.
struct DecoderInput {
  Shape shape;  ///< [batch, tokens]
  std::vector<TokenId> tokens;
  std::vector<TokenId> targets;
};

/// Tokens drawn evenly, each row with one more than it has positions, so that
/// every token has one that follows. Throws ModelError where the vocabulary is
/// empty, or `shape` is not [batch, tokens].
TANDEM_API DecoderInput random_input(std::size_t vocabulary, const Shape& shape,
                                     nn::SplitMix64& generator);

/// Arithmetic small enough to check by hand: the operands
/// [[1, 2, 3], [4, 5, 6]] and [[7, 8], [9, 10], [11, 12]].
struct TinyArithmetic {
  Tensor left;
  Tensor right;
  Tensor matrix;  ///< left x right: [[58, 64], [139, 154]]
  Tensor sums;    ///< of left over axis 1: [6, 15]
  Tensor means;   ///< of left over axis 1: [2, 5]
};

TANDEM_API TinyArithmetic
tiny_arithmetic(const ExecutionContext& execution = {});

struct Snapshot {
  TinyArithmetic tiny;
  Tensor logits;                       ///< [batch, tokens, vocabulary]
  Tensor loss;                         ///< rank 0, nats
  std::vector<NamedTensor> gradients;  ///< in registry order
  std::size_t parameter_count = 0;     ///< scalars, the tied table once
  bool is_table_tied = false;          ///< lookup and head use one parameter
  ExecutionStats stats;  ///< the native work of this snapshot alone
};

/// Clears the model's gradients, runs forward and backward in `execution`, and
/// leaves the gradients in the model.
TANDEM_API Snapshot take_snapshot(const nn::Decoder& model,
                                  const DecoderInput& input,
                                  const ExecutionContext& execution = {});

/// All tensors by name: `tiny.matrix`, `tiny.sums`, `tiny.means`, `logits`,
/// `loss`, `gradient.NAME`.
TANDEM_API std::vector<NamedTensor> named_tensors(const Snapshot& snapshot);

/// The decoder that every figure in the documentation is about.
struct DecoderFixture {
  std::uint64_t seed = 39;
  nn::DecoderConfig config;
  std::string text;  ///< its document is `tokens` and the last target
  std::vector<TokenId> document;
  DecoderInput input;
};

TANDEM_API DecoderFixture decoder_fixture();

}  // namespace tandem::compare
