#include <tandem/nn/sampling.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "cpu/softmax_row.h"

namespace tandem::nn {
namespace {

void require(bool holds, const std::string& why, double value) {
  if (!holds)
    throw ModelError("sampling: " + why + ": " + std::to_string(value));
}

// All ids, the likeliest first.
std::vector<TokenId> ranked(std::span<const double> logits) {
  std::vector<TokenId> ids(logits.size());
  std::iota(ids.begin(), ids.end(), TokenId{0});
  std::sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  return ids;
}

// The shortest beginning of `ids` whose probabilities reach top_p.
std::size_t nucleus(const std::vector<TokenId>& ids,
                    const std::vector<double>& weights, double top_p) {
  double total = 0.0;
  for (const TokenId id : ids) total += weights[id];
  double sum = 0.0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    sum += weights[ids[i]];
    if (sum >= top_p * total) return i + 1;
  }
  return ids.size();
}

TokenId most_likely(std::span<const double> logits) {
  return static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) -
                              logits.begin());
}

// exp((logit - maximum) / temperature): 1 for the likeliest, and never more.
std::vector<double> unscaled(std::span<const double> logits,
                             double temperature) {
  const double maximum = logits[most_likely(logits)];
  std::vector<double> weights(logits.size());
  std::transform(
      logits.begin(), logits.end(), weights.begin(),
      [&](double logit) { return std::exp((logit - maximum) / temperature); });
  return weights;
}

void keep_likeliest(std::span<const double> logits,
                    const SamplingOptions& options,
                    std::vector<double>& weights) {
  std::vector<TokenId> ids = ranked(logits);
  if (options.top_k > 0) ids.resize(std::min(ids.size(), options.top_k));
  if (options.top_p < 1.0) ids.resize(nucleus(ids, weights, options.top_p));
  std::vector<double> kept(weights.size(), 0.0);
  for (const TokenId id : ids) kept[id] = weights[id];
  weights.swap(kept);
}

}  // namespace

void SamplingOptions::check() const {
  require(std::isfinite(temperature) && temperature >= 0.0,
          "temperature must be finite and not negative", temperature);
  require(top_p > 0.0 && top_p <= 1.0, "top_p must be above 0 and at most 1",
          top_p);
  require(std::isfinite(repetition_penalty) && repetition_penalty > 0.0,
          "repetition penalty must be finite and positive", repetition_penalty);
}

std::vector<double> penalized(std::span<const double> logits,
                              std::span<const TokenId> seen, double penalty) {
  std::vector<double> result(logits.begin(), logits.end());
  if (penalty == 1.0) return result;
  for (const TokenId token : seen) {
    const double logit = logits[token];
    result[token] = logit > 0.0 ? logit / penalty : logit * penalty;
  }
  return result;
}

std::vector<double> distribution(std::span<const double> logits,
                                 const SamplingOptions& options) {
  if (options.temperature == 0.0) {
    std::vector<double> certain(logits.size(), 0.0);
    certain[most_likely(logits)] = 1.0;
    return certain;
  }
  std::vector<double> weights = unscaled(logits, options.temperature);
  if (options.top_k > 0 || options.top_p < 1.0) {
    keep_likeliest(logits, options, weights);
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

TokenId draw(std::span<const double> probabilities, SplitMix64& generator) {
  const double u = generator.unit();
  double sum = 0.0;
  TokenId last = 0;
  for (TokenId token = 0; token < probabilities.size(); ++token) {
    if (probabilities[token] == 0.0) continue;
    sum += probabilities[token];
    if (u < sum) return token;
    last = token;  // rounding may leave the sum just below 1
  }
  return last;
}

double log_probability(std::span<const double> logits, TokenId token) {
  const auto [maximum, tail] =
      cpu::summarize({logits.data(), 1}, logits.size());
  return (logits[token] - maximum) - std::log1p(tail);
}

}  // namespace tandem::nn
