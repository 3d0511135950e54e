// The options that say how a text is continued.
#pragma once

#include <tandem/nn/generation.h>
#include <tandem/nn/model_directory.h>

#include <CLI/App.hpp>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tandem::cli {

class GenerationChoice {
 public:
  void add_options(CLI::App& app);

  /// Throws UsageError where an option cannot take effect.
  void check() const;

  /// Stop tokens are the model's own and those that were given; if no number
  /// of tokens was given, there are as many as the model has positions for, but
  /// no more than the default. Throws UsageError where --stop is not one token.
  nn::GenerationOptions options(const nn::Model& model,
                                std::size_t prompt_tokens) const;

  nlohmann::ordered_json facts(const nn::GenerationOptions& options) const;

 private:
  nn::GenerationOptions options_;
  std::vector<std::string> stop_;
  bool ignore_end_ = false;
  CLI::Option* tokens_option_ = nullptr;
  std::vector<CLI::Option*> of_sampling_;  // no effect at temperature 0
};

}  // namespace tandem::cli
