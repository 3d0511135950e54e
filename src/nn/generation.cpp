#include <tandem/nn/decoder_session.h>
#include <tandem/nn/generation.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace tandem::nn {
namespace {

using Prompts = std::vector<std::vector<TokenId>>;

void check(const Decoder& decoder, const Prompts& prompts,
           const GenerationOptions& options) {
  options.sampling.check();
  if (prompts.empty()) throw ModelError("generate: there is no prompt");
  const std::size_t length = prompts.front().size();
  if (length == 0) throw ModelError("generate: prompt is empty: text 0");
  for (std::size_t text = 1; text < prompts.size(); ++text) {
    if (prompts[text].size() == length) continue;
    throw ModelError("generate: prompts differ in length: text 0 has " +
                     std::to_string(length) + " tokens, text " +
                     std::to_string(text) + " has " +
                     std::to_string(prompts[text].size()));
  }
  const std::size_t positions = decoder.config().position_capacity;
  if (length > positions || options.tokens > positions - length) {
    throw ModelError("generate: more tokens than positions: prompt has " +
                     std::to_string(length) + ", new are " +
                     std::to_string(options.tokens) + ", positions are " +
                     std::to_string(positions));
  }
}

// One text in the making.
class Writer {
 public:
  Writer(const std::vector<TokenId>& prompt, const GenerationOptions& options,
         std::uint64_t seed)
      : options_(options), seen_(prompt), generator_(seed) {}

  /// Takes the token that follows.
  const GeneratedToken& write(std::span<const double> logits) {
    const TokenId id = choose(logits);
    seen_.push_back(id);
    text_.tokens.push_back({id, log_probability(logits, id)});
    text_.stopped = std::find(options_.stop.begin(), options_.stop.end(), id) !=
                    options_.stop.end();
    return text_.tokens.back();
  }

  bool stopped() const { return text_.stopped; }
  TokenId last() const { return seen_.back(); }
  Continuation finish() { return std::move(text_); }

 private:
  TokenId choose(std::span<const double> logits) {
    const SamplingOptions& sampling = options_.sampling;
    if (sampling.temperature == 0.0 && sampling.repetition_penalty == 1.0) {
      return static_cast<TokenId>(
          std::max_element(logits.begin(), logits.end()) - logits.begin());
    }
    const auto scores = penalized(logits, seen_, sampling.repetition_penalty);
    return draw(distribution(scores, sampling), generator_);
  }

  const GenerationOptions& options_;
  std::vector<TokenId> seen_;
  SplitMix64 generator_;
  Continuation text_;
};

// All texts in the making, and what reads them.
class Writers {
 public:
  Writers(const Decoder& decoder, const Prompts& prompts,
          const GenerationOptions& options, const ExecutionContext& execution)
      : session_(decoder,
                 {prompts.size(), prompts.front().size() + options.tokens},
                 execution) {
    for (const auto& prompt : prompts) {
      writers_.emplace_back(prompt, options, options.seed + writers_.size());
      next_.insert(next_.end(), prompt.begin(), prompt.end());
    }
  }

  /// Writes a token of each text that goes on; whether any does afterwards.
  bool write(const TokenListener& listener) {
    const Tensor logits = session_.read(next_, LogitsOf::last_token);
    const std::size_t vocabulary = logits.shape()[2];
    next_.clear();
    bool more = false;
    for (std::size_t text = 0; text < writers_.size(); ++text) {
      Writer& writer = writers_[text];
      if (!writer.stopped()) {
        const auto& token = writer.write(
            logits.values().subspan(text * vocabulary, vocabulary));
        if (listener) listener(text, token);
      }
      more = more || !writer.stopped();
      next_.push_back(writer.last());
    }
    return more;
  }

  std::vector<Continuation> finish() {
    std::vector<Continuation> texts;
    for (Writer& writer : writers_) texts.push_back(writer.finish());
    return texts;
  }

 private:
  DecoderSession session_;
  std::vector<Writer> writers_;
  std::vector<TokenId> next_;
};

}  // namespace

std::vector<Continuation> generate(const Decoder& decoder,
                                   const Prompts& prompts,
                                   const GenerationOptions& options,
                                   const ExecutionContext& execution,
                                   const TokenListener& listener) {
  check(decoder, prompts, options);
  if (options.tokens == 0) return std::vector<Continuation>(prompts.size());
  Writers writers(decoder, prompts, options, execution);
  for (std::size_t i = 0; i < options.tokens; ++i) {
    if (!writers.write(listener)) break;
  }
  return writers.finish();
}

}  // namespace tandem::nn
