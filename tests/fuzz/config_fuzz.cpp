// Any bytes as a config.json: either an Error, or a configuration that is
// written as it was read.
#include <tandem/nn/model_config.h>
#include <tandem/tensor/error.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  try {
    const auto config = tandem::nn::parse_model_config(json, "input");
    const auto again = tandem::nn::parse_model_config(
        tandem::nn::model_config_json(config), "output");
    if (!(again.decoder == config.decoder) ||
        again.begin_token != config.begin_token ||
        again.end_tokens != config.end_tokens || again.type != config.type) {
      std::abort();
    }
  } catch (const tandem::Error&) {  // what a malformed file is answered with
  }
  return 0;
}
