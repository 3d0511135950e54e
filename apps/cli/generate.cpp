// tandem generate: what a trained model makes of a prompt, as text while it is
// made, or as one document.
#include <tandem/nn/generation.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "command.h"
#include "device_options.h"
#include "generation_options.h"
#include "json.h"
#include "model_directory.h"
#include "stopwatch.h"
#include "text_output.h"

namespace tandem::cli {
namespace {

struct GenerateOptions {
  std::string model;
  std::string prompt;
  GenerationChoice generation;
  DeviceOptions device;
  bool json = false;
  Output output;
};

// A model often has more rows than its tokenizer has tokens, to make the table
// even: such a row stands for no text.
bool has_text(const nn::Model& model, TokenId token) {
  return token < model.tokenizer->vocabulary_size();
}

// One text, and when its tokens came.
struct Outcome {
  nn::Continuation text;
  double prompt_seconds = 0.0;  // until the first token
  double seconds = 0.0;         // all
};

std::vector<TokenId> prompt_tokens(const std::string& prompt,
                                   const nn::Model& model) {
  std::vector<TokenId> tokens;
  try {
    tokens = model.tokenizer->encode(prompt);
  } catch (const TokenizerError& error) {
    throw UsageError(std::string("--prompt: ") + error.what());
  }
  if (tokens.empty() && model.config.begin_token) {
    return {*model.config.begin_token};
  }
  if (tokens.empty()) throw UsageError("--prompt: has no tokens");
  return tokens;
}

Outcome run_generation(const nn::Model& model,
                       const std::vector<TokenId>& prompt,
                       const nn::GenerationOptions& options,
                       const ExecutionContext& execution,
                       const nn::TokenListener& listener) {
  Outcome outcome;
  const Stopwatch watch;
  bool first = true;
  const auto note = [&](std::size_t text, const nn::GeneratedToken& token) {
    if (std::exchange(first, false)) outcome.prompt_seconds = watch.seconds();
    if (listener) listener(text, token);
  };
  outcome.text =
      nn::generate(model.decoder, {prompt}, options, execution, note).front();
  outcome.seconds = watch.seconds();
  return outcome;
}

void stream(const nn::Model& model, const std::vector<TokenId>& prompt,
            const nn::GenerationOptions& options,
            const ExecutionContext& execution) {
  TextStream text(*model.tokenizer);
  run_generation(model, prompt, options, execution,
                 [&](std::size_t, const nn::GeneratedToken& token) {
                   if (has_text(model, token.id)) {
                     write_text(text.push(token.id));
                   }
                 });
  write_text(text.finish() + "\n");
}

Json timings_json(const Outcome& outcome) {
  const std::size_t tokens = outcome.text.tokens.size();
  const double rest = outcome.seconds - outcome.prompt_seconds;
  Json timings{{"prompt_seconds", outcome.prompt_seconds},
               {"seconds", outcome.seconds},
               {"tokens_per_second", nullptr}};
  if (tokens > 1 && rest > 0.0) {
    timings["tokens_per_second"] = static_cast<double>(tokens - 1) / rest;
  }
  return timings;
}

Json document_of(const GenerateOptions& options, const nn::Model& model,
                 const std::vector<TokenId>& prompt,
                 const nn::GenerationOptions& generation,
                 const ExecutionContext& execution, const Outcome& outcome) {
  std::vector<TokenId> ids, with_text;
  Json log_probabilities = Json::array();
  for (const nn::GeneratedToken& token : outcome.text.tokens) {
    ids.push_back(token.id);
    if (has_text(model, token.id)) with_text.push_back(token.id);
    log_probabilities.push_back(number(token.log_probability));
  }
  return {{"schema", "tandem.generate/1"},
          {"build", build_facts()},
          {"execution", options.device.facts(execution)},
          {"model", model_facts(options.model, model.decoder)},
          {"options", options.generation.facts(generation)},
          {"prompt", {{"text", options.prompt}, {"ids", prompt}}},
          {"text", model.tokenizer->decode(with_text)},
          {"ids", ids},
          {"logprobs", std::move(log_probabilities)},
          {"stopped", outcome.text.stopped},
          {"timings", timings_json(outcome)},
          {"stats", stats(execution.stats())}};
}

ExitCode run_generate(const GenerateOptions& options) {
  if (!options.json && !options.output.path.empty()) {
    throw UsageError("--output: has no effect without --json");
  }
  options.generation.check();
  const ExecutionContext execution = options.device.open();
  const nn::Model model = open_model_directory(options.model);
  const auto prompt = prompt_tokens(options.prompt, model);
  check_vocabulary(prompt, model);
  const nn::GenerationOptions generation =
      options.generation.options(model, prompt.size());
  if (!options.json) {
    blaming_weights(options.model,
                    [&] { stream(model, prompt, generation, execution); });
    return ExitCode::done;
  }
  const Outcome outcome = blaming_weights(options.model, [&] {
    return run_generation(model, prompt, generation, execution, {});
  });
  options.output.write(
      document_of(options, model, prompt, generation, execution, outcome));
  return ExitCode::done;
}

}  // namespace

void add_generate(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("generate", "Continue a prompt with a trained model");
  const auto options = std::make_shared<GenerateOptions>();
  command->add_option("--model", options->model, "The model's directory")
      ->type_name("DIR")
      ->required();
  command->add_option("--prompt", options->prompt, "The text to continue")
      ->type_name("TEXT")
      ->required();
  options->generation.add_options(*command);
  options->device.add_options(*command);
  command->add_flag("--json", options->json,
                    "One document in the end rather than text as it comes");
  options->output.add_options(*command);
  command->callback([options, &chosen] {
    chosen = [options] { return run_generate(*options); };
  });
}

}  // namespace tandem::cli
