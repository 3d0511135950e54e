#include "model_options.h"

#include <tandem/tensor/error.h>

#include <algorithm>

#include "command.h"
#include "json.h"
#include "model_directory.h"
#include "number_options.h"

namespace tandem::cli {
namespace {

void check_tokens(const nn::DecoderConfig& config, std::size_t batch,
                  std::size_t tokens) {
  if (batch == 0 || tokens == 0) {
    throw ModelError("decoder: no tokens: batch is " + std::to_string(batch) +
                     ", tokens are " + std::to_string(tokens));
  }
  if (tokens > config.position_capacity) {
    throw ModelError(
        "decoder: more tokens than positions: " + std::to_string(tokens) +
        " tokens, capacity is " + std::to_string(config.position_capacity));
  }
}

// Rows that follow one another in the text; each token's target is the next.
compare::DecoderInput rows_of(const std::vector<TokenId>& text,
                              std::size_t batch, std::size_t tokens) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(batch * tokens);
  return {{batch, tokens}, {text.begin(), end}, {text.begin() + 1, end + 1}};
}

}  // namespace

ModelOptions::ModelOptions()
    : fixture_(compare::decoder_fixture()),
      seed_(fixture_.seed),
      config_(fixture_.config),
      batch_(fixture_.input.shape[0]),
      tokens_(fixture_.input.shape[1]) {}

void ModelOptions::add_options(CLI::App& app) {
  const auto add = [&app](const char* name, auto& value, const char* help) {
    return add_whole_number(app, name, value, help)->group("Decoder");
  };
  app.add_option("--model", directory_, "A trained model's directory")
      ->type_name("DIR")
      ->group("Decoder");
  app.add_option("--text", text_, "The text that a trained model reads")
      ->type_name("FILE")
      ->group("Decoder");
  capacity_option_ = add("--capacity", config_.position_capacity,
                         "Positions there are; at least --tokens if not given");
  of_drawn_models_ = {
      add("--seed", seed_,
          "Draws initial values and, where they differ, tokens"),
      add("--vocabulary", config_.vocabulary, "Tokens there are"),
      add("--width", config_.width, "Width of a token's vector"),
      add("--heads", config_.heads, "Query heads"),
      add("--key-value-heads", config_.key_value_heads,
          "Key and value heads; 0: as many as --heads"),
      add("--feed-forward-width", config_.feed_forward_width,
          "Width inside a feed-forward layer"),
      add("--blocks", config_.blocks, "Decoder blocks"),
      capacity_option_};
  add("--batch", batch_, "Rows of tokens");
  tokens_option_ = add("--tokens", tokens_,
                       "Tokens in a row; of a text, as many as there are or as "
                       "the model has positions if not given");
}

void ModelOptions::check_effect() const {
  if (directory_.empty() != text_.empty()) {
    throw UsageError(directory_.empty()
                         ? "--text: has no effect without --model"
                         : "--model: needs --text, what the model reads");
  }
  if (directory_.empty()) return;
  for (const CLI::Option* option : of_drawn_models_) {
    if (option->count() > 0) {
      throw UsageError(option->get_name() + ": has no effect with --model");
    }
  }
}

nn::DecoderConfig ModelOptions::checked_config() const {
  nn::DecoderConfig config = config_;
  if (capacity_option_->count() == 0) {
    config.position_capacity = std::max(config.position_capacity, tokens_);
  }
  config = config.checked();
  // Before anything is drawn: a wrong size should not take an hour to show.
  check_tokens(config, batch_, tokens_);
  return config;
}

DecoderCase ModelOptions::make() const {
  check_effect();
  return directory_.empty() ? drawn() : opened();
}

DecoderCase ModelOptions::opened() const {
  nn::Model model = open_model_directory(directory_);
  const nn::DecoderConfig& config = model.decoder.config();
  const auto text = read_tokens(text_, model, 2);
  const bool given = tokens_option_->count() > 0;
  const std::size_t most = (text.size() - 1) / std::max<std::size_t>(1, batch_);
  const std::size_t tokens =
      given ? tokens_ : std::min(config.position_capacity, most);
  check_tokens(config, batch_, tokens);
  if (tokens > most) {
    throw FileError("text: too short: it has " + std::to_string(text.size()) +
                    " tokens, for " + std::to_string(batch_) + " rows of " +
                    std::to_string(tokens) + " and one more, in " + text_);
  }
  return {std::move(model.decoder), rows_of(text, batch_, tokens), "text"};
}

DecoderCase ModelOptions::drawn() const {
  const nn::DecoderConfig config = checked_config();
  nn::SplitMix64 generator(seed_);
  nn::Decoder model(config, generator);
  const Shape shape{batch_, tokens_};
  if (config.vocabulary == fixture_.config.vocabulary &&
      shape == fixture_.input.shape) {
    return {std::move(model), fixture_.input, "fixture"};
  }
  auto input = compare::random_input(config.vocabulary, shape, generator);
  return {std::move(model), std::move(input), "drawn"};
}

Json ModelOptions::facts(const DecoderCase& made) const {
  Json facts;
  if (directory_.empty()) {
    facts["seed"] = seed_;
  } else {
    facts["directory"] = directory_;
  }
  facts["config"] = config(made.model.config());
  facts["parameter_count"] = made.model.parameters().scalar_count();
  facts["input"] = {{"source", made.input_source},
                    {"batch", made.input.shape[0]},
                    {"tokens", made.input.shape[1]}};
  if (!text_.empty()) facts["input"]["file"] = text_;
  return facts;
}

}  // namespace tandem::cli
