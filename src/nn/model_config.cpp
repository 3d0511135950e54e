#include <tandem/nn/model_config.h>
#include <tandem/tensor/error.h>

#include <nlohmann/json.hpp>

#include "nn/json_object.h"
#include "text/strict_json.h"

namespace tandem::nn {
namespace {

using Json = nlohmann::json;

// What a Llama's config.json stands for where it does not say.
constexpr double default_rope_theta = 10000.0;
constexpr double default_rms_epsilon = 1e-6;
constexpr std::size_t default_positions = 2048;

void check_architecture(const JsonObject& config) {
  if (const Json* const names = config.find("architectures")) {
    if (*names != Json::array({"LlamaForCausalLM"})) {
      config.refuse("architectures");
    }
  } else if (!config.text("model_type")) {
    config.reject("architectures", "is not there");
  }
  const auto type = config.text("model_type");
  if (type && *type != "llama") config.refuse("model_type");
}

// Options that would change what is computed.
void check_unsupported(const JsonObject& config) {
  const auto activation = config.text("hidden_act").value_or("silu");
  if (activation != "silu" && activation != "swish") {
    config.refuse("hidden_act");
  }
  for (const char* key : {"attention_bias", "mlp_bias", "rope_interleaved"}) {
    if (config.flag(key, false)) config.refuse(key);
  }
  for (const char* key : {"pretraining_tp", "partial_rotary_factor"}) {
    if (config.number(key).value_or(1.0) != 1.0) config.refuse(key);
  }
  for (const char* key : {"sliding_window", "quantization_config"}) {
    if (config.find(key) != nullptr) config.refuse(key);
  }
}

// The old spelling of the kind of angles is `type`.
void check_rope_kind(const JsonObject& rope) {
  for (const char* key : {"rope_type", "type"}) {
    if (rope.text(key).value_or("default") != "default") rope.refuse(key);
  }
  if (rope.number("partial_rotary_factor").value_or(1.0) != 1.0) {
    rope.refuse("partial_rotary_factor");
  }
}

double read_rope_base(const JsonObject& config) {
  if (const auto scaling = config.object("rope_scaling")) {
    check_rope_kind(*scaling);
  }
  const auto old_spelling = config.number("rope_theta");
  std::optional<double> new_spelling;
  if (const auto rope = config.object("rope_parameters")) {
    check_rope_kind(*rope);
    new_spelling = rope->number("rope_theta");
  }
  if (old_spelling && new_spelling && *old_spelling != *new_spelling) {
    config.reject("rope_theta", "differs from 'rope_parameters.rope_theta'");
  }
  return new_spelling.value_or(old_spelling.value_or(default_rope_theta));
}

std::size_t read_head_width(const JsonObject& config) {
  if (config.find("head_dim") == nullptr) return 0;
  const std::size_t width = config.count("head_dim");
  if (width == 0) config.reject("head_dim", "is 0");
  return width;
}

std::size_t read_key_value_heads(const JsonObject& config) {
  if (config.find("num_key_value_heads") == nullptr) return 0;
  const std::size_t heads = config.count("num_key_value_heads");
  if (heads == 0) config.reject("num_key_value_heads", "is 0");
  return heads;
}

DecoderConfig read_decoder(const JsonObject& config,
                           const std::string& source) {
  DecoderConfig decoder;
  decoder.vocabulary = config.count("vocab_size");
  decoder.width = config.count("hidden_size");
  decoder.heads = config.count("num_attention_heads");
  decoder.feed_forward_width = config.count("intermediate_size");
  decoder.blocks = config.count("num_hidden_layers");
  decoder.position_capacity =
      config.count("max_position_embeddings", default_positions);
  decoder.rope_base = read_rope_base(config);
  decoder.rms_epsilon =
      config.number("rms_norm_eps").value_or(default_rms_epsilon);
  decoder.key_value_heads = read_key_value_heads(config);
  decoder.head_width = read_head_width(config);
  decoder.tied_head = config.flag("tie_word_embeddings", false);
  try {
    return decoder.checked();
  } catch (const ModelError& error) {
    throw ModelError(std::string(error.what()) + ", in " + source);
  }
}

std::vector<TokenId> read_end_tokens(const JsonObject& config) {
  const char* const key = "eos_token_id";
  const Json* const value = config.find(key);
  if (value == nullptr) return {};
  if (!value->is_array()) return {config.count(key)};
  std::vector<TokenId> tokens;
  for (const Json& token : *value) {
    if (!token.is_number_unsigned()) {
      config.reject(key, "holds what is not a whole number");
    }
    tokens.push_back(token.get<TokenId>());
  }
  return tokens;
}

std::optional<ElementType> read_type(const JsonObject& config) {
  const auto old_spelling = config.text("torch_dtype");
  const auto new_spelling = config.text("dtype");
  if (old_spelling && new_spelling && *old_spelling != *new_spelling) {
    config.reject("torch_dtype", "differs from 'dtype'");
  }
  if (!old_spelling && !new_spelling) return std::nullopt;
  const std::string& name = new_spelling ? *new_spelling : *old_spelling;
  if (name == "float64") return ElementType::f64;
  if (name == "float32") return ElementType::f32;
  if (name == "float16") return ElementType::f16;
  if (name == "bfloat16") return ElementType::bf16;
  config.refuse(new_spelling ? "dtype" : "torch_dtype");
}

const char* type_name(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return "float64";
    case ElementType::f32:
      return "float32";
    case ElementType::f16:
      return "float16";
    case ElementType::bf16:
      return "bfloat16";
    default:
      throw FileError("config: weights cannot be of this type: " +
                      std::string(to_string(type)));
  }
}

using OrderedJson = nlohmann::ordered_json;

OrderedJson sizes_json(const DecoderConfig& decoder) {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"vocab_size", decoder.vocabulary},
          {"hidden_size", decoder.width},
          {"intermediate_size", decoder.feed_forward_width},
          {"num_hidden_layers", decoder.blocks},
          {"num_attention_heads", decoder.heads},
          {"num_key_value_heads", decoder.key_value_heads},
          {"head_dim", decoder.head_width},
          {"max_position_embeddings", decoder.position_capacity},
          {"rms_norm_eps", decoder.rms_epsilon},
          {"rope_theta", decoder.rope_base},
          {"rope_parameters",
           {{"rope_theta", decoder.rope_base}, {"rope_type", "default"}}},
          {"tie_word_embeddings", decoder.tied_head},
          {"hidden_act", "silu"},
          {"attention_bias", false},
          {"mlp_bias", false}};
}

OrderedJson end_tokens_json(const std::vector<TokenId>& tokens) {
  if (tokens.empty()) return nullptr;
  if (tokens.size() == 1) return tokens.front();
  return tokens;
}

void add_frame(const ModelConfig& config, OrderedJson& document) {
  document["bos_token_id"] =
      config.begin_token ? OrderedJson(*config.begin_token) : OrderedJson();
  document["eos_token_id"] = end_tokens_json(config.end_tokens);
}

}  // namespace

ModelConfig parse_model_config(std::string_view json,
                               const std::string& source) {
  const Json document = text::parse_strict_json(json, "config", source);
  const JsonObject config(document, "", source);
  check_architecture(config);
  check_unsupported(config);
  ModelConfig model;
  model.decoder = read_decoder(config, source);
  if (config.find("bos_token_id") != nullptr) {
    model.begin_token = config.count("bos_token_id");
    if (*model.begin_token >= model.decoder.vocabulary) {
      config.reject("bos_token_id", "is not in the vocabulary");
    }
  }
  model.end_tokens = read_end_tokens(config);
  model.type = read_type(config);
  return model;
}

std::vector<TokenId> parse_generation_end_tokens(std::string_view json,
                                                 const std::string& source) {
  const Json document = text::parse_strict_json(json, "config", source);
  return read_end_tokens(JsonObject(document, "", source));
}

std::string model_config_json(const ModelConfig& config) {
  OrderedJson document = sizes_json(config.decoder.checked());
  add_frame(config, document);
  if (config.type) {
    document["torch_dtype"] = type_name(*config.type);
    document["dtype"] = type_name(*config.type);
  }
  return document.dump(2) + "\n";
}

std::string generation_config_json(const ModelConfig& config) {
  OrderedJson document;
  add_frame(config, document);
  return document.dump(2) + "\n";
}

}  // namespace tandem::nn
