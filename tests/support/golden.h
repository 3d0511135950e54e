// The decoder fixture's golden values, and how results are judged by them.
#pragma once

#include <gtest/gtest.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/view.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tandem::test {

/// The file as it is; the header in it explains each field.
const nlohmann::json& golden_fixture();

/// A 64-bit pattern written as 16 hex digits.
std::uint64_t from_hex(const std::string& digits);

/// Decodes a list of 64-bit patterns.
std::vector<double> from_bits(const nlohmann::json& patterns);

/// The fixture's configuration, and a decoder drawn from its seed.
nn::DecoderConfig golden_config();
nn::Decoder golden_decoder();

/// Bit for bit where the machine's elementary functions are those that the
/// golden values were made with, else within 1e-12 + 1e-10 |expected|.
testing::AssertionResult equals_golden(const TensorView& actual,
                                       const Shape& shape,
                                       const std::vector<double>& expected);

}  // namespace tandem::test
