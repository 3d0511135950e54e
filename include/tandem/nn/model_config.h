// ModelConfig: what the config.json of a model directory says, and of its
// generation_config.json what ends a text.
#pragma once

#include <tandem/export.h>
#include <tandem/nn/decoder_config.h>
#include <tandem/nn/element_type.h>
#include <tandem/text/token.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::nn {

/// A Llama, as Hugging Face describes one.
struct ModelConfig {
  DecoderConfig decoder;
  std::optional<TokenId> begin_token;
  std::vector<TokenId> end_tokens;  ///< any of them ends a text
  std::optional<ElementType> type;  ///< of the weights
};

/// Reads a config.json; `source` names it in messages. Throws FileError where
/// it is malformed, and ModelError where it asks for something that the decoder
/// does not have (another architecture, scaled rotary angles, biases, ...) or
/// that makes no sense; the message names it.
TANDEM_API ModelConfig parse_model_config(std::string_view json,
                                          const std::string& source);

/// The `eos_token_id` of a generation_config.json, which is one or a list;
/// empty where it names none. Nothing else is read. Throws FileError where the
/// file is malformed.
TANDEM_API std::vector<TokenId> parse_generation_end_tokens(
    std::string_view json, const std::string& source);

/// The config.json of `config`, in the spellings of old and new readers.
TANDEM_API std::string model_config_json(const ModelConfig& config);

/// The generation_config.json of `config`: how its texts begin and end.
TANDEM_API std::string generation_config_json(const ModelConfig& config);

}  // namespace tandem::nn
