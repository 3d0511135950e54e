// The loss of a small random model on texts, and comparisons on its tokens.
#include <gtest/gtest.h>
#include <tandem/nn/model_directory.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/model_directory.h"

namespace tandem::test {
namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;
using Tokens = std::vector<TokenId>;

class TextFile : public testing::Test {
 protected:
  ProcessResult run(const std::string& command,
                    const Arguments& options = {}) const {
    Arguments arguments{command, "--model", model_.directory(), "--text",
                        text_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return tandem_command(arguments);
  }

  json document(const std::string& command,
                const Arguments& options = {}) const {
    const auto result = run(command, options);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return document_of(result);
  }

  double loss(const Tokens& inputs, const Tokens& targets) const {
    return decoder_.loss(inputs, {1, inputs.size()}, targets).value().item();
  }

  SmallModel model_;
  std::string text_ = model_.put("text.txt", "abcdefgh");
  nn::Decoder decoder_ = nn::open_model(model_.directory()).decoder;
};

TEST_F(TextFile, HasTheLossOfItsTokens) {
  const json made = document("evaluate");
  const double expected = loss({0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(made.at("schema"), "tandem.evaluate/1");
  EXPECT_EQ(made.at("text").at("tokens"), 8);
  EXPECT_EQ(made.at("predictions"), 7);
  EXPECT_EQ(made.at("windows"), 1);
  EXPECT_EQ(made.at("window"), 16);
  EXPECT_NEAR(made.at("loss").at("value"), expected, 1e-15);
  EXPECT_NEAR(made.at("perplexity"), std::exp(expected), 1e-12);
}

TEST_F(TextFile, IsReadInWindowsThatPredictEachTokenOnce) {
  const json made = document("evaluate", {"--window", "3"});
  const double expected = (3 * loss({0, 1, 2}, {1, 2, 3}) +
                           3 * loss({3, 4, 5}, {4, 5, 6}) + loss({6}, {7})) /
                          7;
  EXPECT_EQ(made.at("windows"), 3);
  EXPECT_EQ(made.at("predictions"), 7);
  EXPECT_NEAR(made.at("loss").at("value"), expected, 1e-14);
}

TEST_F(TextFile, IsRefusedWhereItIsTooShortOrNoText) {
  const std::string path = model_.put("text.txt", "a");
  const auto result = run("evaluate");
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "tandem: text: too short: it has 1 tokens, needed are 2, in " +
                path + "\n");
  model_.put("text.txt", "\xff");
  EXPECT_EQ(run("evaluate").code, 4);
  const auto missing = tandem_command(
      {"evaluate", "--model", model_.directory(), "--text", "/nowhere"});
  EXPECT_EQ(missing.code, 4);
  EXPECT_EQ(missing.err, "tandem: text: cannot be read: /nowhere\n");
}

TEST_F(TextFile, IsNotReadInWindowsBeyondThePositions) {
  for (const char* window : {"0", "17"}) {
    const auto result = run("evaluate", {"--window", window});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(
        result.err,
        "tandem: --window: must be from 1 to 16, the model's positions: " +
            std::string(window) + "\n");
  }
}

TEST_F(TextFile, IsWhatATrainedModelIsComparedOn) {
  const json made = document("compare");
  EXPECT_EQ(made.at("model").at("directory"), model_.directory());
  EXPECT_EQ(made.at("model").at("input").at("source"), "text");
  EXPECT_EQ(made.at("model").at("input").at("tokens"), 7);
  EXPECT_EQ(made.at("loss").at("actual").at("value"),
            loss({0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(made.at("comparison").at("verdict"), "passed");
}

#if defined(FAKE_CUDA_ROOT)
TEST_F(TextFile, IsReadOnADevice) {
  const Arguments device{"--device", "cuda", "--cuda-library-dir",
                         FAKE_CUDA_ROOT "/13"};
  const json evaluated = document("evaluate", device);
  EXPECT_EQ(evaluated.at("execution").at("device"), "cuda:0");
  EXPECT_GT(evaluated.at("stats").at("gemm_requests"), 0);
  EXPECT_NEAR(evaluated.at("loss").at("value"),
              loss({0, 1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6, 7}), 1e-9);
  const json compared = document("compare", device);
  EXPECT_EQ(compared.at("comparison").at("verdict"), "passed");
  EXPECT_GT(compared.at("stats").at("gemm_requests"), 0);
}
#endif

TEST_F(TextFile, IsCutIntoRows) {
  const json made = document("compare", {"--batch", "2"});
  EXPECT_EQ(made.at("model").at("input").at("tokens"), 3);
  EXPECT_EQ(made.at("loss").at("actual").at("value"),
            decoder_.loss({0, 1, 2, 3, 4, 5}, {2, 3}, {1, 2, 3, 4, 5, 6})
                .value()
                .item());
}

TEST_F(TextFile, IsNotComparedOnWhereOptionsDisagree) {
  const auto refused = [&](const Arguments& options) {
    const auto result = tandem_command(options);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refused({"compare", "--text", text_}),
            "tandem: --text: has no effect without --model\n");
  EXPECT_EQ(refused({"compare", "--model", model_.directory()}),
            "tandem: --model: needs --text, what the model reads\n");
  EXPECT_EQ(refused({"compare", "--model", model_.directory(), "--text", text_,
                     "--width", "8"}),
            "tandem: --width: has no effect with --model\n");
  const auto longer = run("compare", {"--tokens", "8"});
  EXPECT_EQ(longer.code, 4);
  EXPECT_EQ(longer.err,
            "tandem: text: too short: it has 8 tokens, for 1 rows of 8 and one "
            "more, in " +
                text_ + "\n");
}

}  // namespace
}  // namespace tandem::test
