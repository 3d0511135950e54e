// Decoders that an independent implementation computed: its weights and
// results, in this library's names and layouts.
#pragma once

#include <tandem/nn/decoder.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tandem::test {

/// One file. There, projections are [out, in] and a head's rotary pairs are
/// (p, p + width/2); here they are [in, out] and (2p, 2p + 1).
class LlamaGolden {
 public:
  explicit LlamaGolden(const std::filesystem::path& path);

  const nn::DecoderConfig& config() const { return config_; }
  Shape input_shape() const { return file_.shape("ids"); }
  std::vector<TokenId> tokens() const { return ids("ids"); }
  std::vector<TokenId> targets() const { return ids("targets"); }
  Tensor logits() const { return file_.tensor("logits"); }
  double loss() const { return file_.tensor("loss").item(); }
  nn::Decoder decoder() const;
  /// Of the loss, with respect to the parameter of this library's name.
  Tensor gradient(const std::string& name) const;

 private:
  std::vector<TokenId> ids(const std::string& name) const;
  std::size_t number(const std::string& key) const;
  // `kind` is "param" or "grad".
  Tensor mapped(const std::string& kind, const std::string& name) const;

  Safetensors file_;
  nn::DecoderConfig config_;
};

}  // namespace tandem::test
