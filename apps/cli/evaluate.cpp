// tandem evaluate: the loss of a trained model on a text.
#include <tandem/nn/decoder.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "command.h"
#include "device_options.h"
#include "json.h"
#include "model_directory.h"
#include "number_options.h"
#include "progress_bar.h"
#include "stopwatch.h"

namespace tandem::cli {
namespace {

struct EvaluateOptions {
  std::string model;
  std::string text;
  std::size_t window = 0;
  CLI::Option* window_option = nullptr;
  DeviceOptions device;
  Output output;
};

struct Evaluation {
  std::size_t predictions = 0;
  std::size_t windows = 0;
  double total = 0.0;  // nats

  double loss() const { return total / static_cast<double>(predictions); }
};

std::size_t window_of(const EvaluateOptions& options,
                      const nn::Decoder& decoder) {
  const std::size_t positions = decoder.config().position_capacity;
  if (options.window_option->count() == 0) return positions;
  if (options.window == 0 || options.window > positions) {
    throw UsageError(
        "--window: must be from 1 to " + std::to_string(positions) +
        ", the model's positions: " + std::to_string(options.window));
  }
  return options.window;
}

// Every token but the first is predicted once, from those before it in its
// window; each window begins anew.
Evaluation evaluate(const nn::Decoder& decoder,
                    const std::vector<TokenId>& tokens, std::size_t window,
                    const ExecutionContext& execution) {
  const auto context = autograd::Context::no_grad().with_execution(execution);
  Evaluation evaluation;
  ProgressBar bar("tokens", tokens.size() - 1);
  for (std::size_t start = 0; start + 1 < tokens.size(); start += window) {
    bar.show(start);
    const std::size_t count = std::min(window, tokens.size() - 1 - start);
    const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(start);
    const auto to = from + static_cast<std::ptrdiff_t>(count);
    const auto loss =
        decoder.loss({from, to}, {1, count}, {from + 1, to + 1}, context);
    evaluation.total += loss.value().item() * static_cast<double>(count);
    evaluation.predictions += count;
    ++evaluation.windows;
  }
  return evaluation;
}

ExitCode run_evaluate(const EvaluateOptions& options) {
  const ExecutionContext execution = options.device.open();
  const nn::Model model = open_model_directory(options.model);
  const std::size_t window = window_of(options, model.decoder);
  const auto tokens = read_tokens(options.text, model, 2);
  const Stopwatch watch;
  const Evaluation evaluation = blaming_weights(options.model, [&] {
    return evaluate(model.decoder, tokens, window, execution);
  });
  const double seconds = watch.seconds();
  options.output.write(
      {{"schema", "tandem.evaluate/1"},
       {"build", build_facts()},
       {"execution", options.device.facts(execution)},
       {"model", model_facts(options.model, model.decoder)},
       {"text", {{"file", options.text}, {"tokens", tokens.size()}}},
       {"window", window},
       {"windows", evaluation.windows},
       {"predictions", evaluation.predictions},
       {"loss",
        {{"value", number(evaluation.loss())},
         {"bits", bits(evaluation.loss())},
         {"unit", "nats"}}},
       {"perplexity", number(std::exp(evaluation.loss()))},
       {"seconds", seconds},
       {"stats", stats(execution.stats())}});
  return ExitCode::done;
}

}  // namespace

void add_evaluate(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "evaluate", "Measure the loss of a trained model on a text");
  const auto options = std::make_shared<EvaluateOptions>();
  command->add_option("--model", options->model, "The model's directory")
      ->type_name("DIR")
      ->required();
  command->add_option("--text", options->text, "The text, in UTF-8")
      ->type_name("FILE")
      ->required();
  options->window_option =
      add_whole_number(*command, "--window", options->window,
                       "Tokens that are read at once, each window beginning "
                       "anew; as many as the model has positions if not given");
  options->device.add_options(*command);
  options->output.add_options(*command);
  command->callback([options, &chosen] {
    chosen = [options] { return run_evaluate(*options); };
  });
}

}  // namespace tandem::cli
