// Trained models from their directories: the greedy texts and the losses that
// independent implementations computed.
#include <gtest/gtest.h>
#include <tandem/nn/decoder_session.h>
#include <tandem/nn/model_directory.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/json_tensors.h"
#include "support/shared_directory.h"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;
using Tokens = std::vector<TokenId>;

std::vector<fs::path> model_directories() {
  std::vector<fs::path> found;
  for (const fs::path& path : shared_files("models", "", "")) {
    if (fs::exists(path / "greedy.json")) found.push_back(path);
  }
  return found;
}

std::string text_of(const nlohmann::json& expected) {
  return expected.at("prompt");
}

TokenId most_likely(const Tensor& logits) {
  const auto values = logits.values();
  return static_cast<TokenId>(std::max_element(values.begin(), values.end()) -
                              values.begin());
}

// The tokens, and after them the most likely ones.
Tokens continued(const nn::Decoder& decoder, Tokens tokens, std::size_t count) {
  nn::DecoderSession session(decoder);
  Tensor logits = session.read(tokens, nn::LogitsOf::last_token);
  while (true) {
    tokens.push_back(most_likely(logits));
    if (--count == 0) return tokens;
    logits = session.read({tokens.back()});
  }
}

// A text as a model that begins with a token of its own was given it, without
// that token.
void expect_steps(const nn::Model& model, const nlohmann::json& expected) {
  Tokens tokens = model.tokenizer->encode(text_of(expected));
  ASSERT_FALSE(tokens.empty());
  ASSERT_EQ(tokens.front(), model.config.begin_token);
  const std::size_t steps = expected.at("steps");
  tokens = continued(model.decoder, tokens, steps + 1 - tokens.size());
  const Tokens after(tokens.begin() + 1, tokens.end());
  EXPECT_EQ(after, to_sizes(expected.at("ids_after_bos")));
  EXPECT_EQ(model.tokenizer->decode(after),
            expected.at("text").get<std::string>());
}

void expect_continuation(const nn::Model& model,
                         const nlohmann::json& expected) {
  const Tokens prompt = model.tokenizer->encode(text_of(expected));
  ASSERT_EQ(prompt, to_sizes(expected.at("prompt_ids")));
  const Tokens ids = to_sizes(expected.at("generated_ids"));
  const Tokens all = continued(model.decoder, prompt, ids.size());
  const Tokens generated(
      all.begin() + static_cast<std::ptrdiff_t>(prompt.size()), all.end());
  EXPECT_EQ(generated, ids);
  EXPECT_EQ(model.tokenizer->decode(generated),
            expected.at("text").get<std::string>());
}

void expect_loss(const nn::Model& model, const nlohmann::json& expected) {
  const Tokens ids = to_sizes(expected.at("ids"));
  const Tokens inputs(ids.begin(), ids.end() - 1);
  const Tokens targets(ids.begin() + 1, ids.end());
  const auto loss = model.decoder.loss(inputs, {1, inputs.size()}, targets,
                                       autograd::Context::no_grad());
  EXPECT_TRUE(close_to(loss.view(), {}, {to_double(expected.at("mean_nll"))},
                       1e-10, 1e-12));
}

TEST(TrainedModel, ContinuesEveryPromptAsItsGreedyTextDoes) {
  TANDEM_NEED_SHARED("models");
  std::size_t compared = 0;
  for (const fs::path& path : model_directories()) {
    SCOPED_TRACE(path.filename().string());
    const nn::Model model = nn::open_model(path);
    const auto greedy = read_json(path / "greedy.json");
    for (const auto& expected : greedy.at("cases")) {
      expected.contains("steps") ? expect_steps(model, expected)
                                 : expect_continuation(model, expected);
      ++compared;
    }
  }
  std::cout << compared << " texts compared\n";
  EXPECT_GT(compared, 0u);
}

TEST(TrainedModel, HasTheLossesThatWereMeasured) {
  TANDEM_NEED_SHARED("models");
  std::size_t compared = 0;
  for (const fs::path& path : model_directories()) {
    SCOPED_TRACE(path.filename().string());
    const auto greedy = read_json(path / "greedy.json");
    if (!greedy.contains("losses")) continue;
    const nn::Model model = nn::open_model(path);
    for (const auto& expected : greedy.at("losses")) {
      expect_loss(model, expected);
      ++compared;
    }
  }
  std::cout << compared << " losses compared\n";
  EXPECT_GT(compared, 0u);
}

}  // namespace
}  // namespace tandem::test
