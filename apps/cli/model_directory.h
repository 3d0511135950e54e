// Trained models and texts that a command is given as files.
#pragma once

#include <tandem/nn/model_directory.h>
#include <tandem/tensor/error.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tandem::cli {

/// A model whose directory has a tokenizer. What the library does not support
/// is the directory's fault, too: throws FileError.
nn::Model open_model_directory(const std::string& directory);

/// The tokens of a whole text file, framed as the model expects. Throws
/// FileError, also where the tokens are fewer than `least`.
std::vector<TokenId> read_tokens(const std::string& file,
                                 const nn::Model& model, std::size_t least);

/// A tokenizer may know tokens that the model has no row for: throws FileError.
void check_vocabulary(const std::vector<TokenId>& tokens,
                      const nn::Model& model);

/// Runs `work` on the model of `directory`, whose weights are at fault where a
/// value overflows: throws FileError then.
template <class Work>
auto blaming_weights(const std::string& directory, Work work) {
  try {
    return work();
  } catch (const NonfiniteError& error) {
    throw FileError(error.what() + (", with the weights in " + directory));
  }
}

/// Directory, sizes and parameters.
nlohmann::ordered_json model_facts(const std::string& directory,
                                   const nn::Decoder& decoder);

}  // namespace tandem::cli
