// Model directories: a Llama's configuration, weights and tokenizer.json in the
// layout of Hugging Face.
#pragma once

#include <tandem/export.h>
#include <tandem/nn/decoder.h>
#include <tandem/nn/element_type.h>
#include <tandem/nn/model_config.h>
#include <tandem/text/tokenizer.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace tandem::nn {

/// What a directory holds.
struct Model {
  Decoder decoder;
  std::optional<Tokenizer> tokenizer;  ///< where there is a tokenizer.json
  ModelConfig config;
};

/// Opens config.json, model.safetensors or else the shards that
/// model.safetensors.index.json names, and tokenizer.json. There, projections
/// are [out, in] and the rotary pairs of a head lie half a head apart; in the
/// decoder they are [in, out] and adjacent.
///
/// A generation_config.json may be absent. Where it names end tokens, they are
/// taken in place of those of config.json, as generate() of Hugging Face does.
/// Nothing else is read from it, none of the defaults for sampling: how to
/// sample is for the caller to say.
///
/// Of the weights only the headers are read here, whatever their size; each
/// parameter is read when it is first used. That throws FileError where the
/// file was cut meanwhile or a value is not finite. A file stays mapped until
/// all of it is read, and must not be changed in place before (save_model
/// replaces it).
///
/// Throws FileError where a file is malformed, or a tensor is missing, unknown
/// or of another shape; ModelError and TokenizerError where something is not
/// supported.
TANDEM_API Model open_model(const std::filesystem::path& directory);

struct SaveOptions {
  /// How the weights are stored; f64 keeps every bit.
  ElementType type = ElementType::f64;
  std::optional<TokenId> begin_token;
  std::vector<TokenId> end_tokens;
  /// A tokenizer.json to put beside the weights, or none.
  std::filesystem::path tokenizer;
};

/// Writes the same layout: model.safetensors, the tokenizer.json that is given,
/// generation_config.json, and config.json last. Makes the directory. Throws
/// FileError.
///
/// Each file is replaced in one step: whatever stops this process, it is the
/// old one or the new one, and config.json is new only where all are. No more
/// is promised of the directory: a stopped save into one that held another
/// model may leave files of both, and a `.tmp` file.
TANDEM_API void save_model(const std::filesystem::path& directory,
                           const Decoder& decoder,
                           const SaveOptions& options = {});

}  // namespace tandem::nn
