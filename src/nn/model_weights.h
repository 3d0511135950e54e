// ModelWeights: the weights of a model directory, checked when they are opened
// and read when they are first used.
#pragma once

#include <tandem/nn/decoder_config.h>
#include <tandem/nn/parameters.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/shape.h>

#include <filesystem>
#include <set>
#include <string>

namespace tandem::nn {

/// The weights as a decoder asks for them, and what it did not ask for. Every
/// fault that is not among the values is a FileError at once.
class ModelWeights {
 public:
  ModelWeights(const std::filesystem::path& path, const DecoderConfig& config);

  /// Reads the parameter of that name, and keeps the file open until then.
  /// Throws where the file has none, of another shape or of no real type; the
  /// reader throws FileError, which names the file's tensor.
  autograd::ValueReader reader(const std::string& parameter,
                               const Shape& shape);

  /// Throws where the file holds what no reader was asked for.
  void check_rest() const;

 private:
  void check_tied() const;
  [[noreturn]] void reject(const std::string& why,
                           const std::string& what) const;

  std::filesystem::path path_;
  std::size_t head_width_;
  Safetensors file_;
  std::set<std::string> used_;
};

}  // namespace tandem::nn
