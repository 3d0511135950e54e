#include "cli/model_directory.h"

#include <tandem/nn/model_directory.h>

namespace tandem::test {
namespace {

// Pieces are bytes; there are no merges, so each letter is a token.
constexpr const char* tokenizer_json = R"({
  "added_tokens": [{"id": 8, "content": "<end>", "special": true}],
  "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
  "decoder": {"type": "ByteLevel"},
  "model": {"type": "BPE", "merges": [], "vocab": {"a": 0, "b": 1, "c": 2,
    "d": 3, "e": 4, "f": 5, "g": 6, "h": 7}}})";

nn::Decoder random_decoder() {
  nn::DecoderConfig config;
  config.vocabulary = 9;
  config.width = 8;
  config.heads = 2;
  config.key_value_heads = 1;
  config.feed_forward_width = 12;
  config.blocks = 2;
  config.position_capacity = 16;
  nn::SplitMix64 generator(12);
  return nn::Decoder(config, generator);
}

}  // namespace

SmallModel::SmallModel() {
  nn::SaveOptions options;
  options.end_tokens = {8};
  options.tokenizer = folder_.put("tokenizer.json", tokenizer_json);
  nn::save_model(folder_.path(), random_decoder(), options);
}

}  // namespace tandem::test
