#include <tandem/nn/file.h>
#include <tandem/nn/model_directory.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <string>
#include <system_error>

#include "nn/llama_layout.h"
#include "nn/mapped_file.h"
#include "nn/model_weights.h"

namespace tandem::nn {
namespace {

namespace fs = std::filesystem;

// A link that leads nowhere is not absent: who opens it says what is wrong.
bool is_absent(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

ModelConfig read_config(const fs::path& path) {
  const MappedFile file(path, "config");
  return parse_model_config(file.bytes(), path.string());
}

// What generate() of Hugging Face stops at: the ids of generation_config.json
// hide those of config.json, which are often fewer.
std::vector<TokenId> end_tokens(const fs::path& directory,
                                const ModelConfig& config) {
  const fs::path path = directory / "generation_config.json";
  if (is_absent(path)) return config.end_tokens;
  const MappedFile file(path, "config");
  const auto tokens = parse_generation_end_tokens(file.bytes(), path.string());
  return tokens.empty() ? config.end_tokens : tokens;
}

fs::path weights_path(const fs::path& directory) {
  const fs::path single = directory / "model.safetensors";
  const fs::path index = directory / "model.safetensors.index.json";
  return is_absent(single) && !is_absent(index) ? index : single;
}

std::optional<Tokenizer> open_tokenizer(const fs::path& directory) {
  const fs::path path = directory / "tokenizer.json";
  if (is_absent(path)) return std::nullopt;
  return Tokenizer::open(path);
}

Decoder open_decoder(const fs::path& directory, const DecoderConfig& config) {
  ModelWeights weights(weights_path(directory), config);
  Decoder decoder(config, [&](const std::string& name, const Shape& shape) {
    return weights.reader(name, shape);
  });
  weights.check_rest();
  return decoder;
}

std::vector<StoredTensor> stored_tensors(const Decoder& decoder,
                                         ElementType type) {
  std::vector<StoredTensor> tensors;
  for (const auto& [name, parameter] : decoder.parameters().entries()) {
    const WeightPlace place = place_of(name);
    tensors.push_back({place.name,
                       to_stored(parameter.value(), place.layout,
                                 decoder.config().head_width),
                       type});
  }
  return tensors;
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw FileError("model: cannot make the directory: " + error.message() +
                    ": " + directory.string());
  }
}

}  // namespace

Model open_model(const fs::path& directory) {
  ModelConfig config = read_config(directory / "config.json");
  config.end_tokens = end_tokens(directory, config);
  return {open_decoder(directory, config.decoder), open_tokenizer(directory),
          config};
}

void save_model(const fs::path& directory, const Decoder& decoder,
                const SaveOptions& options) {
  const ModelConfig config{decoder.config(), options.begin_token,
                           options.end_tokens, options.type};
  const std::string config_json = model_config_json(config);
  const std::string tokenizer =
      options.tokenizer.empty()
          ? std::string()
          : std::string(MappedFile(options.tokenizer, "model").bytes());
  make_directory(directory);
  write_safetensors(directory / "model.safetensors",
                    stored_tensors(decoder, options.type), {{"format", "pt"}});
  if (!options.tokenizer.empty()) {
    write_file(directory / "tokenizer.json", tokenizer);
  }
  // One that is there would hide the end tokens of config.json.
  write_file(directory / "generation_config.json",
             generation_config_json(config));
  write_file(directory / "config.json", config_json);
}

}  // namespace tandem::nn
