// Which decoder a command runs, and on which tokens.
#pragma once

#include <tandem/compare/snapshot.h>
#include <tandem/nn/decoder.h>

#include <CLI/App.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tandem::cli {

/// A model and what it is run on.
struct DecoderCase {
  nn::Decoder model;
  compare::DecoderInput input;
  std::string input_source;  ///< "fixture" or "drawn"
};

/// The defaults are those of the decoder fixture.
class ModelOptions {
 public:
  ModelOptions();

  void add_options(CLI::App& app);

  /// Draws the model from the seed and then, unless vocabulary, batch and
  /// tokens are the fixture's, the input. Throws ModelError.
  DecoderCase make() const;

  /// Seed, sizes, parameters and input of what make() gave.
  nlohmann::ordered_json facts(const DecoderCase& made) const;

 private:
  nn::DecoderConfig checked_config() const;

  compare::DecoderFixture fixture_;
  std::uint64_t seed_;
  nn::DecoderConfig config_;
  std::size_t batch_;
  std::size_t tokens_;
  CLI::Option* capacity_option_ = nullptr;
};

}  // namespace tandem::cli
