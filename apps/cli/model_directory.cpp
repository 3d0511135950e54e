#include "model_directory.h"

#include <tandem/tensor/error.h>

#include <fstream>
#include <iterator>

#include "json.h"

namespace tandem::cli {
namespace {

// Runs `read`; whatever the library says against the file's content is the
// file's fault.
template <class Read>
auto blaming_the_file(Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw FileError(error.what());
  }
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw FileError("text: cannot be read: " + file);
  return content;
}

}  // namespace

nn::Model open_model_directory(const std::string& directory) {
  nn::Model model = blaming_the_file([&] { return nn::open_model(directory); });
  if (!model.tokenizer) {
    throw FileError("model: no tokenizer.json, in " + directory);
  }
  return model;
}

std::vector<TokenId> read_tokens(const std::string& file,
                                 const nn::Model& model, std::size_t least) {
  const std::string content = content_of(file);
  const auto tokens =
      blaming_the_file([&] { return model.tokenizer->encode(content); });
  if (tokens.size() < least) {
    throw FileError("text: too short: it has " + std::to_string(tokens.size()) +
                    " tokens, needed are " + std::to_string(least) + ", in " +
                    file);
  }
  check_vocabulary(tokens, model);
  return tokens;
}

void check_vocabulary(const std::vector<TokenId>& tokens,
                      const nn::Model& model) {
  const std::size_t vocabulary = model.config.decoder.vocabulary;
  for (const TokenId token : tokens) {
    if (token < vocabulary) continue;
    throw FileError("model: the tokenizer's token " + std::to_string(token) +
                    " is none of the model's " + std::to_string(vocabulary));
  }
}

Json model_facts(const std::string& directory, const nn::Decoder& decoder) {
  return {{"directory", directory},
          {"config", config(decoder.config())},
          {"parameter_count", decoder.parameters().scalar_count()}};
}

}  // namespace tandem::cli
