// Which decoder a command runs, and on which tokens.
#pragma once

#include <tandem/compare/snapshot.h>
#include <tandem/nn/decoder.h>

#include <CLI/App.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tandem::cli {

/// A model and what it is run on.
struct DecoderCase {
  nn::Decoder model;
  compare::DecoderInput input;
  std::string input_source;  ///< "fixture", "drawn" or "text"
};

/// A model that is drawn, by default as the decoder fixture is, or a trained
/// one on a text.
class ModelOptions {
 public:
  ModelOptions();

  void add_options(CLI::App& app);

  /// Opens the model and the text that are given. Else draws the model from the
  /// seed and then, unless vocabulary, batch and tokens are the fixture's, the
  /// input. Throws ModelError, FileError, and UsageError where an option cannot
  /// take effect.
  DecoderCase make() const;

  /// Directory or seed, sizes, parameters and input of what make() gave.
  nlohmann::ordered_json facts(const DecoderCase& made) const;

 private:
  nn::DecoderConfig checked_config() const;
  void check_effect() const;
  DecoderCase drawn() const;
  DecoderCase opened() const;

  compare::DecoderFixture fixture_;
  std::uint64_t seed_;
  nn::DecoderConfig config_;
  std::size_t batch_;
  std::size_t tokens_;
  std::string directory_;
  std::string text_;
  CLI::Option* capacity_option_ = nullptr;
  CLI::Option* tokens_option_ = nullptr;
  std::vector<CLI::Option*> of_drawn_models_;
};

}  // namespace tandem::cli
