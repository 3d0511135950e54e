// Trained models read with a cache, a text split at every point, against the
// decoder, which computes everything anew.
#include <gtest/gtest.h>
#include <tandem/nn/decoder_session.h>
#include <tandem/nn/model_directory.h>

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
using nn::DecoderSession;
using Tokens = std::vector<TokenId>;

constexpr std::size_t length = 48;

// The beginning of the first text of the model's own that is long enough.
Tokens text_of(const nn::Model& model, const fs::path& path) {
  const auto greedy = read_json(path / "greedy.json");
  for (const auto& generated : greedy.at("cases")) {
    const auto text = generated.at("text").get<std::string>();
    Tokens tokens = model.tokenizer->encode(text);
    if (tokens.size() < length) continue;
    tokens.resize(length);
    return tokens;
  }
  ADD_FAILURE() << "no text has " << length << " tokens";
  return {};
}

// Reads a text piece by piece and compares each piece's logits.
class SplitReading {
 public:
  SplitReading(const nn::Decoder& decoder, const Tokens& tokens)
      : decoder_(decoder),
        tokens_(tokens),
        expected_(decoder
                      .logits(tokens, {1, tokens.size()},
                              autograd::Context::no_grad())
                      .value()),
        session_(decoder) {}

  // A new session: an old one's cache would hold what may not be written now.
  void restart() { session_ = DecoderSession(decoder_); }

  void read_to(std::size_t end) {
    const std::size_t begin = session_.length();
    if (begin == end) return;
    const auto at = [&](std::size_t i) {
      return tokens_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    EXPECT_TRUE(same_bits(session_.read({at(begin), at(end)}),
                          expected_.slice(1, begin, end)))
        << "tokens " << begin << " to " << end;
  }

 private:
  nn::Decoder decoder_;
  Tokens tokens_;
  TensorView expected_;
  DecoderSession session_;
};

TEST(TrainedSession, GivesTheBitsOfFullRecomputationAtEverySplit) {
  TANDEM_NEED_SHARED("models");
  std::size_t compared = 0;
  for (const fs::path& path : shared_files("models", "", "")) {
    SCOPED_TRACE(path.filename().string());
    const nn::Model model = nn::open_model(path);
    const Tokens tokens = text_of(model, path);
    SplitReading reading(model.decoder, tokens);
    for (std::size_t split = 0; split <= tokens.size(); ++split, ++compared) {
      SCOPED_TRACE("split at " + std::to_string(split));
      reading.restart();
      reading.read_to(split);
      reading.read_to(tokens.size());
      reading.restart();
      reading.read_to(split);
      for (std::size_t end = split + 1; end <= tokens.size(); ++end) {
        reading.read_to(end);
      }
    }
  }
  std::cout << compared << " splits compared\n";
  EXPECT_GT(compared, 0u);
}

}  // namespace
}  // namespace tandem::test
