// Tensors out of JSON documents.
#pragma once

#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace tandem::test {

/// Throws std::runtime_error where the file cannot be read.
nlohmann::json read_json(const std::filesystem::path& path);

/// A number, a truth value, or one of "NaN", "Infinity", "-Infinity".
double to_double(const nlohmann::json& value);
std::vector<double> to_doubles(const nlohmann::json& values);
std::vector<std::size_t> to_sizes(const nlohmann::json& values);

/// {"shape": [...], "data": [...]}
Tensor to_tensor(const nlohmann::json& tensor);

}  // namespace tandem::test
