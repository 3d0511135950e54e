// Generation: texts that a decoder continues, token by token.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/export.h>
#include <tandem/nn/decoder.h>
#include <tandem/nn/sampling.h>
#include <tandem/text/token.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tandem::nn {

struct GenerationOptions {
  std::size_t tokens = 64;  ///< at most so many new ones
  SamplingOptions sampling;
  /// Text i of a batch draws from SplitMix64(seed + i), so that it comes out as
  /// it would alone.
  std::uint64_t seed = 0;
  std::vector<TokenId> stop;  ///< any of them ends a text, as its last token
};

struct GeneratedToken {
  TokenId id = 0;
  /// In the model's own distribution, before any option of the sampling.
  double log_probability = 0.0;
};

struct Continuation {
  std::vector<GeneratedToken> tokens;
  bool stopped = false;  ///< by a stop token, which is the last one
};

/// Told of each token as soon as it is there, with the number of its text.
using TokenListener =
    std::function<void(std::size_t text, const GeneratedToken& token)>;

/// Continues prompts of equal length side by side; builds no graph. Throws
/// ModelError where there is no prompt, a prompt is empty or of another length,
/// prompt and new tokens exceed the decoder's positions, or a sampling option
/// makes no sense.
TANDEM_API std::vector<Continuation> generate(
    const Decoder& decoder, const std::vector<std::vector<TokenId>>& prompts,
    const GenerationOptions& options = {},
    const ExecutionContext& execution = {}, const TokenListener& listener = {});

}  // namespace tandem::nn
