#include <tandem/nn/decoder_config.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <string>

namespace tandem::nn {
namespace {

void require(bool holds, const std::string& why) {
  if (!holds) throw ModelError("decoder config: " + why);
}

std::string text(std::size_t value) { return std::to_string(value); }

}  // namespace

DecoderConfig DecoderConfig::checked() const {
  DecoderConfig config = *this;
  require(vocabulary != 0, "vocabulary is 0");
  require(width != 0, "width is 0");
  require(heads != 0, "heads is 0");
  if (head_width == 0) {
    require(width % heads == 0, "width is not divisible by heads: width is " +
                                    text(width) + ", heads is " + text(heads));
    config.head_width = width / heads;
  }
  require(config.head_width % 2 == 0,
          "head width is odd: " + text(config.head_width));
  require(feed_forward_width != 0, "feed-forward width is 0");
  require(position_capacity != 0, "position capacity is 0");
  require(
      std::isfinite(rope_base) && rope_base > 0.0,
      "RoPE base must be finite and positive: " + std::to_string(rope_base));
  require(std::isfinite(rms_epsilon) && rms_epsilon >= 0.0,
          "RMSNorm epsilon must be finite and not negative: " +
              std::to_string(rms_epsilon));
  if (key_value_heads == 0) config.key_value_heads = heads;
  require(heads % config.key_value_heads == 0,
          "heads is not divisible by key/value heads: heads is " + text(heads) +
              ", key/value heads is " + text(config.key_value_heads));
  return config;
}

}  // namespace tandem::nn
