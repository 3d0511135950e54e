#include "generation_options.h"

#include <tandem/tensor/error.h>

#include <algorithm>

#include "command.h"
#include "json.h"
#include "number_options.h"

namespace tandem::cli {
namespace {

constexpr std::size_t default_tokens = 100;

TokenId token_spelled(const std::string& text, const Tokenizer& tokenizer) {
  if (const auto id = tokenizer.id_of(text)) return *id;
  std::vector<TokenId> tokens;
  try {
    tokens = tokenizer.encode(text, Framing::none);
  } catch (const TokenizerError& error) {
    throw UsageError(std::string("--stop: ") + error.what());
  }
  if (tokens.size() != 1) {
    throw UsageError("--stop: is not one token of the model: it is " +
                     std::to_string(tokens.size()) + ": " + text);
  }
  return tokens.front();
}

}  // namespace

void GenerationChoice::add_options(CLI::App& app) {
  options_.tokens = default_tokens;
  nn::SamplingOptions& sampling = options_.sampling;
  tokens_option_ = add_whole_number(app, "--tokens", options_.tokens,
                                    "At most so many new tokens");
  add_tolerance(app, "--temperature", sampling.temperature,
                "Sample, from logits divided by this; 0: take the likeliest");
  of_sampling_ = {
      add_whole_number(app, "--top-k", sampling.top_k,
                       "Sample among so many tokens; 0: among all"),
      add_tolerance(app, "--top-p", sampling.top_p,
                    "Sample among the likeliest that add up to this"),
      add_whole_number(app, "--seed", options_.seed,
                       "Where the generator of samples starts")};
  add_tolerance(app, "--repetition-penalty", sampling.repetition_penalty,
                "Make tokens that were seen less likely; 1: do not");
  app.add_option("--stop", stop_, "A token that ends the text; may be repeated")
      ->type_name("TOKEN")
      ->allow_extra_args(false)
      ->take_all();
  app.add_flag("--ignore-end", ignore_end_,
               "Go on after the model's own end tokens");
}

void GenerationChoice::check() const {
  options_.sampling.check();
  if (options_.sampling.temperature > 0.0) return;
  for (const CLI::Option* option : of_sampling_) {
    if (option->count() > 0) {
      throw UsageError(option->get_name() +
                       ": has no effect without --temperature");
    }
  }
}

nn::GenerationOptions GenerationChoice::options(
    const nn::Model& model, std::size_t prompt_tokens) const {
  nn::GenerationOptions options = options_;
  const std::size_t positions = model.decoder.config().position_capacity;
  if (tokens_option_->count() == 0 && prompt_tokens < positions) {
    options.tokens = std::min(options.tokens, positions - prompt_tokens);
  }
  if (!ignore_end_) options.stop = model.config.end_tokens;
  for (const std::string& text : stop_) {
    options.stop.push_back(token_spelled(text, *model.tokenizer));
  }
  return options;
}

Json GenerationChoice::facts(const nn::GenerationOptions& options) const {
  const nn::SamplingOptions& sampling = options.sampling;
  return {{"tokens", options.tokens},
          {"temperature", number(sampling.temperature)},
          {"top_k", sampling.top_k},
          {"top_p", number(sampling.top_p)},
          {"repetition_penalty", number(sampling.repetition_penalty)},
          {"seed", options.seed},
          {"stop", options.stop}};
}

}  // namespace tandem::cli
