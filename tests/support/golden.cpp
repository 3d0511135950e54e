#include "support/golden.h"

#include <bit>
#include <cmath>

#include "support/bits.h"
#include "support/json_tensors.h"
#include "support/libm_probe.h"

namespace tandem::test {

const nlohmann::json& golden_fixture() {
  static const nlohmann::json fixture =
      read_json(std::string(TANDEM_SOURCE_DIRECTORY) +
                "/tests/data/decoder_fixture.json");
  return fixture;
}

std::uint64_t from_hex(const std::string& digits) {
  return std::stoull(digits, nullptr, 16);
}

std::vector<double> from_bits(const nlohmann::json& patterns) {
  std::vector<double> values;
  values.reserve(patterns.size());
  for (const auto& pattern : patterns) {
    values.push_back(
        std::bit_cast<double>(from_hex(pattern.get<std::string>())));
  }
  return values;
}

nn::DecoderConfig golden_config() {
  const auto& facts = golden_fixture().at("config");
  nn::DecoderConfig config;
  config.vocabulary = facts.at("vocabulary");
  config.width = facts.at("width");
  config.heads = facts.at("heads");
  config.feed_forward_width = facts.at("ffn_width");
  config.blocks = facts.at("blocks");
  config.position_capacity = facts.at("position_capacity");
  config.rope_base = facts.at("rope_base");
  config.rms_epsilon = facts.at("rms_epsilon");
  return config;
}

nn::Decoder golden_decoder() {
  nn::SplitMix64 generator(golden_fixture().at("config").at("seed"));
  return {golden_config(), generator};
}

testing::AssertionResult equals_golden(const TensorView& actual,
                                       const Shape& shape,
                                       const std::vector<double>& expected) {
  if (golden_bits_hold()) return same_bits(actual, shape, expected);
  for (const double value : values_of(actual)) {
    if (!std::isfinite(value)) {
      return testing::AssertionFailure() << "a value is not finite: " << value;
    }
  }
  return close_to(actual, shape, expected, 1e-10, 1e-12);
}

}  // namespace tandem::test
