#include <tandem/nn/file.h>
#include <tandem/nn/model_directory.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

#include "nn/llama_layout.h"
#include "nn/mapped_file.h"

namespace tandem::nn {
namespace {

namespace fs = std::filesystem;

ModelConfig read_config(const fs::path& path) {
  const MappedFile file(path, "config");
  return parse_model_config(file.bytes(), path.string());
}

fs::path weights_path(const fs::path& directory) {
  const fs::path single = directory / "model.safetensors";
  const fs::path index = directory / "model.safetensors.index.json";
  std::error_code ignored;
  const bool sharded =
      !fs::exists(single, ignored) && fs::exists(index, ignored);
  return sharded ? index : single;
}

std::optional<Tokenizer> open_tokenizer(const fs::path& directory) {
  const fs::path path = directory / "tokenizer.json";
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  return Tokenizer::open(path);
}

// The weights as the decoder asks for them, and what it did not ask for.
class Weights {
 public:
  Weights(const fs::path& path, const DecoderConfig& config)
      : path_(path), config_(config), file_(Safetensors::open(path)) {}

  Tensor parameter(const std::string& name, const Shape& shape) {
    const WeightPlace place = place_of(name);
    if (!file_.contains(place.name)) reject("missing tensor", place.name);
    const Shape stored = stored_shape(shape, place.layout);
    if (!(file_.shape(place.name) == stored)) {
      reject("shape differs", place.name + " is " +
                                  to_string(file_.shape(place.name)) +
                                  ", needed is " + to_string(stored));
    }
    used_.insert(place.name);
    return from_stored(file_.tensor(place.name), place.layout,
                       config_.head_width);
  }

  void check_rest(const Decoder& decoder) const {
    for (const std::string& name : file_.names()) {
      if (used_.count(name) > 0 || is_derived(name)) continue;
      if (name == "lm_head.weight") {
        check_tied(decoder);
      } else {
        reject("unknown tensor", name);
      }
    }
  }

 private:
  // The angles of old checkpoints follow from the configuration.
  static bool is_derived(const std::string& name) {
    const std::string ending = ".rotary_emb.inv_freq";
    return name.size() > ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) ==
               0;
  }

  // A tied head may be stored, too, as long as it is the table.
  void check_tied(const Decoder& decoder) const {
    const Tensor head = file_.tensor("lm_head.weight");
    const Tensor table = decoder.head().table().value();
    if (head.shape() == table.shape() &&
        std::equal(head.values().begin(), head.values().end(),
                   table.values().begin())) {
      return;
    }
    reject("tied tensors differ", "lm_head.weight, model.embed_tokens.weight");
  }

  [[noreturn]] void reject(const std::string& why,
                           const std::string& what) const {
    throw FileError("model: " + why + ": " + what + ", in " + path_.string());
  }

  fs::path path_;
  DecoderConfig config_;
  Safetensors file_;
  std::set<std::string> used_;
};

Decoder open_decoder(const fs::path& directory, const DecoderConfig& config) {
  Weights weights(weights_path(directory), config);
  Decoder decoder(config, [&](const std::string& name, const Shape& shape) {
    return weights.parameter(name, shape);
  });
  weights.check_rest(decoder);
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
  const ModelConfig config = read_config(directory / "config.json");
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
  write_file(directory / "config.json", config_json);
}

}  // namespace tandem::nn
