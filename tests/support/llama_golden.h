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

/// One file. It is opened as a model directory is, so that the library's own
/// mapping of names and layouts is what the results depend on.
class LlamaGolden {
 public:
  explicit LlamaGolden(const std::filesystem::path& path);

  const nn::DecoderConfig& config() const { return decoder_.config(); }
  Shape input_shape() const { return file_.shape("ids"); }
  std::vector<TokenId> tokens() const { return ids("ids"); }
  std::vector<TokenId> targets() const { return ids("targets"); }
  Tensor logits() const { return file_.tensor("logits"); }
  double loss() const { return file_.tensor("loss").item(); }
  /// The same one in every call.
  const nn::Decoder& decoder() const { return decoder_; }
  /// Of the loss, with respect to the parameter of this library's name.
  Tensor gradient(const std::string& name) const;

 private:
  std::vector<TokenId> ids(const std::string& name) const;

  Safetensors file_;
  nn::Decoder decoder_;
  nn::Decoder gradients_;  // each parameter's value is its gradient
};

}  // namespace tandem::test
