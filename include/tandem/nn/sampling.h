// Sampling: which token follows, given the logits of all.
#pragma once

#include <tandem/export.h>
#include <tandem/nn/random.h>
#include <tandem/text/token.h>

#include <cstddef>
#include <span>
#include <vector>

namespace tandem::nn {

/// The defaults change nothing: they sample from the model's own distribution,
/// except that temperature 0 takes the most likely token.
struct TANDEM_API SamplingOptions {
  double temperature = 0.0;  ///< divides the logits; 0: no sampling
  std::size_t top_k = 0;     ///< keeps so many tokens, the likeliest; 0: all
  double top_p = 1.0;        ///< then the likeliest that add up to it
  /// Divides positive and multiplies negative logits of tokens that were seen.
  /// Source: Keskar et al., CTRL, 2019.
  double repetition_penalty = 1.0;

  /// Throws ModelError unless the temperature is finite and not negative, top_p
  /// lies in (0, 1], and the penalty is finite and positive.
  void check() const;
};

/// The logits with the repetition penalty on the tokens of `seen`, once each.
TANDEM_API std::vector<double> penalized(std::span<const double> logits,
                                         std::span<const TokenId> seen,
                                         double penalty);

/// One probability a token; they add up to 1. First the temperature, then
/// top_k, then top_p; of tokens with equal logits the smaller id counts as
/// likelier. Temperature 0 puts all on the most likely one.
TANDEM_API std::vector<double> distribution(std::span<const double> logits,
                                            const SamplingOptions& options);

/// The token at which the ascending sum of the probabilities exceeds one unit()
/// of the generator.
TANDEM_API TokenId draw(std::span<const double> probabilities,
                        SplitMix64& generator);

/// log(softmax(logits)[token]), in nats.
TANDEM_API double log_probability(std::span<const double> logits,
                                  TokenId token);

}  // namespace tandem::nn
