// Configurations of model directories: both spellings, and what is refused.
#include <gtest/gtest.h>
#include <tandem/nn/model_config.h>
#include <tandem/tensor/error.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/thrown_message.h"

namespace tandem::test {
namespace {

using Json = nlohmann::json;
using nn::ModelConfig;

Json sound() {
  return Json::parse(R"({
    "architectures": ["LlamaForCausalLM"], "model_type": "llama",
    "vocab_size": 50, "hidden_size": 16, "intermediate_size": 24,
    "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 6, "max_position_embeddings": 32,
    "rms_norm_eps": 1e-05, "rope_theta": 500000.0,
    "tie_word_embeddings": true, "hidden_act": "silu", "bos_token_id": 1,
    "eos_token_id": 2, "torch_dtype": "float32"})");
}

ModelConfig parsed(const Json& config) {
  return nn::parse_model_config(config.dump(), "c.json");
}

Json with(const std::string& key, const Json& value) {
  Json config = sound();
  config[key] = value;
  return config;
}

Json without(const std::string& key) {
  Json config = sound();
  config.erase(key);
  return config;
}

TEST(ModelConfig, ReadsWhatItSays) {
  const ModelConfig config = parsed(sound());
  const nn::DecoderConfig& decoder = config.decoder;
  EXPECT_EQ(decoder.vocabulary, 50u);
  EXPECT_EQ(decoder.width, 16u);
  EXPECT_EQ(decoder.feed_forward_width, 24u);
  EXPECT_EQ(decoder.blocks, 2u);
  EXPECT_EQ(decoder.heads, 4u);
  EXPECT_EQ(decoder.key_value_heads, 2u);
  EXPECT_EQ(decoder.head_width, 6u);
  EXPECT_EQ(decoder.position_capacity, 32u);
  EXPECT_EQ(decoder.rms_epsilon, 1e-5);
  EXPECT_EQ(decoder.rope_base, 500000.0);
  EXPECT_TRUE(decoder.tied_head);
  EXPECT_EQ(config.begin_token, 1u);
  EXPECT_EQ(config.end_tokens, std::vector<TokenId>{2});
  EXPECT_EQ(config.type, ElementType::f32);
}

TEST(ModelConfig, StandsForWhatItDoesNotSay) {
  Json config = sound();
  for (const char* key : {"model_type", "num_key_value_heads", "head_dim",
                          "max_position_embeddings", "rms_norm_eps",
                          "rope_theta", "tie_word_embeddings", "hidden_act",
                          "bos_token_id", "eos_token_id", "torch_dtype"}) {
    config.erase(key);
  }
  const ModelConfig read = parsed(config);
  EXPECT_EQ(read.decoder.key_value_heads, 4u);
  EXPECT_EQ(read.decoder.head_width, 4u);
  EXPECT_EQ(read.decoder.position_capacity, 2048u);
  EXPECT_EQ(read.decoder.rms_epsilon, 1e-6);
  EXPECT_EQ(read.decoder.rope_base, 10000.0);
  EXPECT_FALSE(read.decoder.tied_head);
  EXPECT_EQ(read.begin_token, std::nullopt);
  EXPECT_TRUE(read.end_tokens.empty());
  EXPECT_EQ(read.type, std::nullopt);
}

TEST(ModelConfig, TakesTheNewSpellings) {
  Json config = without("rope_theta");
  config.erase("torch_dtype");
  config["dtype"] = "bfloat16";
  config["rope_parameters"] = {{"rope_theta", 7000}, {"rope_type", "default"}};
  EXPECT_EQ(parsed(config).decoder.rope_base, 7000.0);
  EXPECT_EQ(parsed(config).type, ElementType::bf16);
}

TEST(ModelConfig, TakesBothSpellingsWhereTheyAgree) {
  Json config = with("dtype", "float32");
  config["rope_parameters"] = {{"rope_theta", 500000.0}};
  EXPECT_EQ(parsed(config).decoder.rope_base, 500000.0);
  EXPECT_EQ(parsed(config).type, ElementType::f32);
}

TEST(ModelConfig, TakesOptionsThatChangeNothing) {
  Json config = sound();
  config.update({{"attention_bias", false},
                 {"mlp_bias", false},
                 {"pretraining_tp", 1},
                 {"rope_scaling", nullptr},
                 {"sliding_window", nullptr},
                 {"attention_dropout", 0.1},
                 {"use_cache", false},
                 {"initializer_range", 0.02},
                 {"transformers_version", "5.17.0"}});
  EXPECT_EQ(parsed(config).decoder, parsed(sound()).decoder);
  config["rope_scaling"] = {{"rope_type", "default"}};
  EXPECT_EQ(parsed(config).decoder, parsed(sound()).decoder);
}

TEST(ModelConfig, TakesSeveralEndTokens) {
  EXPECT_EQ(parsed(with("eos_token_id", {3, 9})).end_tokens,
            (std::vector<TokenId>{3, 9}));
}

std::vector<TokenId> generation_end_tokens(const std::string& json) {
  return nn::parse_generation_end_tokens(json, "g.json");
}

TEST(GenerationConfig, NamesOneEndTokenOrSeveralOrNone) {
  using Tokens = std::vector<TokenId>;
  EXPECT_EQ(generation_end_tokens(R"({"eos_token_id": 3})"), Tokens{3});
  EXPECT_EQ(generation_end_tokens(R"({"eos_token_id": [3, 9]})"),
            (Tokens{3, 9}));
  for (const char* none :
       {"{}", R"({"eos_token_id": null})", R"({"eos_token_id": []})"}) {
    EXPECT_EQ(generation_end_tokens(none), Tokens{}) << none;
  }
}

TEST(GenerationConfig, NamesWhatIsMalformed) {
  const std::vector<std::pair<std::string, std::string>> faults{
      {"[2]", "malformed: the document is not an object"},
      {R"({"eos_token_id": "2"})",
       "malformed: 'eos_token_id' is not a whole number"},
      {R"({"eos_token_id": -1})",
       "malformed: 'eos_token_id' is not a whole number"},
      {R"({"eos_token_id": true})",
       "malformed: 'eos_token_id' is not a whole number"},
      {R"({"eos_token_id": {}})",
       "malformed: 'eos_token_id' is not a whole number"},
      {R"({"eos_token_id": [2, 2.5]})",
       "malformed: 'eos_token_id' holds what is not a whole number"},
      {R"({"eos_token_id": 2, "eos_token_id": 3})",
       "duplicate key: 'eos_token_id'"},
  };
  for (const auto& [json, fault] : faults) {
    EXPECT_EQ(thrown_by<FileError>(
                  [&, &broken = json] { generation_end_tokens(broken); }),
              "config: " + fault + ", in g.json");
  }
}

TEST(ModelConfig, NamesWhatIsMalformed) {
  const std::vector<std::pair<Json, std::string>> faults{
      {Json::array(), "the document is not an object"},
      {without("vocab_size"), "'vocab_size' is not there"},
      {with("hidden_size", nullptr), "'hidden_size' is not there"},
      {with("intermediate_size", -4),
       "'intermediate_size' is not a whole number"},
      {with("num_hidden_layers", 2.5),
       "'num_hidden_layers' is not a whole number"},
      {with("num_attention_heads", "4"),
       "'num_attention_heads' is not a whole number"},
      {with("num_key_value_heads", 0), "'num_key_value_heads' is 0"},
      {with("head_dim", 0), "'head_dim' is 0"},
      {with("rms_norm_eps", "1e-5"), "'rms_norm_eps' is not a number"},
      {with("rope_theta", true), "'rope_theta' is not a number"},
      {with("rope_parameters", 3), "'rope_parameters' is not an object"},
      {with("rope_parameters", {{"rope_theta", "x"}}),
       "'rope_parameters.rope_theta' is not a number"},
      {with("rope_parameters", {{"rope_theta", 3.0}}),
       "'rope_theta' differs from 'rope_parameters.rope_theta'"},
      {with("tie_word_embeddings", 1),
       "'tie_word_embeddings' is not true or false"},
      {with("hidden_act", 1), "'hidden_act' is not a string"},
      {with("bos_token_id", -1), "'bos_token_id' is not a whole number"},
      {with("bos_token_id", 1 << 30),
       "'bos_token_id' is not in the vocabulary"},
      {with("eos_token_id", {1, "x"}),
       "'eos_token_id' holds what is not a whole number"},
      {with("dtype", "float16"), "'torch_dtype' differs from 'dtype'"},
      {with("dtype", 16), "'dtype' is not a string"},
  };
  for (const auto& [config, fault] : faults) {
    EXPECT_EQ(thrown_by<FileError>([&, &broken = config] { parsed(broken); }),
              "config: malformed: " + fault + ", in c.json");
  }
  Json nameless = without("architectures");
  nameless.erase("model_type");
  EXPECT_EQ(thrown_by<FileError>([&] { parsed(nameless); }),
            "config: malformed: 'architectures' is not there, in c.json");
}

TEST(ModelConfig, NamesWhatIsNotSupported) {
  const std::vector<std::pair<Json, std::string>> faults{
      {with("architectures", {"MistralForCausalLM"}),
       R"('architectures' is ["MistralForCausalLM"])"},
      {with("model_type", "qwen2"), R"('model_type' is "qwen2")"},
      {with("hidden_act", "gelu"), R"('hidden_act' is "gelu")"},
      {with("attention_bias", true), "'attention_bias' is true"},
      {with("mlp_bias", true), "'mlp_bias' is true"},
      {with("rope_interleaved", true), "'rope_interleaved' is true"},
      {with("pretraining_tp", 2), "'pretraining_tp' is 2"},
      {with("partial_rotary_factor", 0.5), "'partial_rotary_factor' is 0.5"},
      {with("sliding_window", 4096), "'sliding_window' is 4096"},
      {with("quantization_config", {{"bits", 4}}),
       R"('quantization_config' is {"bits":4})"},
      {with("rope_scaling", {{"type", "linear"}, {"factor", 2.0}}),
       R"('rope_scaling.type' is "linear")"},
      {with("rope_scaling", {{"rope_type", "llama3"}}),
       R"('rope_scaling.rope_type' is "llama3")"},
      {with("rope_parameters", {{"rope_type", "yarn"}}),
       R"('rope_parameters.rope_type' is "yarn")"},
      {with("rope_parameters", {{"partial_rotary_factor", 0.25}}),
       "'rope_parameters.partial_rotary_factor' is 0.25"},
      {with("torch_dtype", "int8"), R"('torch_dtype' is "int8")"},
  };
  for (const auto& [config, fault] : faults) {
    EXPECT_EQ(thrown_by<ModelError>([&, &unfit = config] { parsed(unfit); }),
              "config: unsupported: " + fault + ", in c.json");
  }
}

TEST(ModelConfig, NamesSizesThatMakeNoSense) {
  EXPECT_EQ(thrown_by<ModelError>([] { parsed(with("vocab_size", 0)); }),
            "decoder config: vocabulary is 0, in c.json");
  EXPECT_EQ(thrown_by<ModelError>([] { parsed(with("head_dim", 5)); }),
            "decoder config: head width is odd: 5, in c.json");
}

TEST(ModelConfig, RefusesWhatIsNotStrictJson) {
  EXPECT_EQ(thrown_by<FileError>(
                [] { nn::parse_model_config("{\"a\":1,", "c.json"); }),
            "config: not JSON: fault at byte 8, in c.json");
  EXPECT_EQ(thrown_by<FileError>(
                [] { nn::parse_model_config("{\"a\":1,\"a\":2}", "c.json"); }),
            "config: duplicate key: 'a', in c.json");
}

// A file that a crash left behind may end in zeros.
TEST(ModelConfig, RefusesWhatFollowsAZeroByte) {
  using namespace std::string_literals;
  const std::string whole = "{\"eos_token_id\": 5}";
  EXPECT_EQ(nn::parse_generation_end_tokens(whole + "\n", "g.json"),
            std::vector<TokenId>{5});
  for (const std::string& tail : {"\0"s, "\0 not JSON"s, "\0\0{}"s}) {
    EXPECT_EQ(thrown_by<FileError>([&] {
                nn::parse_generation_end_tokens(whole + tail, "g.json");
              }),
              "config: not JSON: fault at byte 20, in g.json");
  }
}

TEST(ModelConfig, IsWrittenAsItIsRead) {
  ModelConfig config = parsed(sound());
  config.decoder.rope_base = 12345.678901234567;
  config.decoder.rms_epsilon = 1.0 / 3.0;
  config.end_tokens = {2, 7};
  const ModelConfig read =
      nn::parse_model_config(nn::model_config_json(config), "c.json");
  EXPECT_EQ(read.decoder, config.decoder);
  EXPECT_EQ(read.begin_token, config.begin_token);
  EXPECT_EQ(read.end_tokens, config.end_tokens);
  EXPECT_EQ(read.type, config.type);
}

}  // namespace
}  // namespace tandem::test
