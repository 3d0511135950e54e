// What the documents have in common: numbers that keep their bits, tensors,
// comparisons, counters.
#pragma once

#include <tandem/compare/comparison.h>
#include <tandem/execution/context.h>
#include <tandem/execution/devices.h>
#include <tandem/execution/operation_check.h>
#include <tandem/nn/decoder_config.h>
#include <tandem/tensor/tensor.h>

#include <nlohmann/json.hpp>
#include <string>

namespace tandem::cli {

using Json = nlohmann::ordered_json;

/// The document as text: indented, with each list of plain values on one line.
/// Bytes that are not UTF-8 become U+FFFD.
std::string pretty(const Json& document);

/// A number that reads back bit for bit. JSON has no NaN and no infinity: they
/// are the strings "nan", "inf" and "-inf".
Json number(double value);

/// 16 hexadecimal digits, most significant first.
std::string bits(double value);

Json shape(const Shape& shape);
/// {"shape": [...], "values": [...]}, values flat and row-major.
Json tensor(const Tensor& tensor);
/// The same with "bits" beside the values.
Json tensor_with_bits(const Tensor& tensor);

Json config(const nn::DecoderConfig& config);
Json stats(const ExecutionStats& stats);
Json comparison(const compare::Comparison& comparison);
Json operation_check(const OperationCheck& check);
Json libraries(const DeviceReport& report);
Json build_facts();
Json execution_facts(const ExecutionContext& execution);

}  // namespace tandem::cli
