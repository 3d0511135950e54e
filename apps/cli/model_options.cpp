#include "model_options.h"

#include <tandem/tensor/error.h>

#include <algorithm>

#include "json.h"
#include "number_options.h"

namespace tandem::cli {

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
  add("--seed", seed_, "Draws initial values and, where they differ, tokens");
  add("--vocabulary", config_.vocabulary, "Tokens there are");
  add("--width", config_.width, "Width of a token's vector");
  add("--heads", config_.heads, "Query heads");
  add("--key-value-heads", config_.key_value_heads,
      "Key and value heads; 0: as many as --heads");
  add("--feed-forward-width", config_.feed_forward_width,
      "Width inside a feed-forward layer");
  add("--blocks", config_.blocks, "Decoder blocks");
  capacity_option_ = add("--capacity", config_.position_capacity,
                         "Positions there are; at least --tokens if not given");
  add("--batch", batch_, "Rows of tokens");
  add("--tokens", tokens_, "Tokens in a row");
}

nn::DecoderConfig ModelOptions::checked_config() const {
  nn::DecoderConfig config = config_;
  if (capacity_option_->count() == 0) {
    config.position_capacity = std::max(config.position_capacity, tokens_);
  }
  config = config.checked();
  // Before anything is drawn: a wrong size should not take an hour to show.
  if (batch_ == 0 || tokens_ == 0) {
    throw ModelError("decoder: no tokens: batch is " + std::to_string(batch_) +
                     ", tokens are " + std::to_string(tokens_));
  }
  if (tokens_ > config.position_capacity) {
    throw ModelError(
        "decoder: more tokens than positions: " + std::to_string(tokens_) +
        " tokens, capacity is " + std::to_string(config.position_capacity));
  }
  return config;
}

DecoderCase ModelOptions::make() const {
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
  return {{"seed", seed_},
          {"config", config(made.model.config())},
          {"parameter_count", made.model.parameters().scalar_count()},
          {"input",
           {{"source", made.input_source},
            {"batch", batch_},
            {"tokens", tokens_}}}};
}

}  // namespace tandem::cli
