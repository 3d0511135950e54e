#include "support/llama_golden.h"

#include <tandem/nn/model_directory.h>

#include <map>

#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

std::string config_json(const Safetensors& file) {
  const auto& facts = file.metadata();
  const auto member = [&](const std::string& key, const std::string& fact) {
    return ",\"" + key + "\":" + facts.at(fact);
  };
  return R"({"architectures":["LlamaForCausalLM"],)"
         R"("tie_word_embeddings":true,"max_position_embeddings":)" +
         std::to_string(file.shape("ids")[1]) + member("vocab_size", "vocab") +
         member("hidden_size", "width") +
         member("num_attention_heads", "heads") +
         member("num_key_value_heads", "kv_heads") +
         member("intermediate_size", "ffn") +
         member("num_hidden_layers", "layers") +
         member("rope_theta", "rope_theta") + member("rms_norm_eps", "eps") +
         "}";
}

// A model directory whose weights are the tensors of this kind, "param." or
// "grad.".
nn::Decoder opened(const Safetensors& file, const std::string& kind) {
  const testing_support::TemporaryFolder folder;
  std::vector<StoredTensor> weights;
  for (const std::string& name : file.names()) {
    if (name.compare(0, kind.size(), kind) == 0) {
      weights.push_back({name.substr(kind.size()), file.tensor(name)});
    }
  }
  write_safetensors(folder.path() / "model.safetensors", weights);
  folder.put("config.json", config_json(file));
  return nn::open_model(folder.path()).decoder;
}

}  // namespace

LlamaGolden::LlamaGolden(const std::filesystem::path& path)
    : file_(Safetensors::open(path)),
      decoder_(opened(file_, "param.")),
      gradients_(opened(file_, "grad.")) {}

Tensor LlamaGolden::gradient(const std::string& name) const {
  return gradients_.parameters().at(name).value();
}

std::vector<TokenId> LlamaGolden::ids(const std::string& name) const {
  const std::vector<std::int64_t> stored = file_.integers(name);
  return {stored.begin(), stored.end()};
}

}  // namespace tandem::test
