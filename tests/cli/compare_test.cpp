// The document of a comparison on the CPU.
#include <gtest/gtest.h>

#include <string>

#include "cli/command_line.h"

namespace tandem::test {
namespace {

using nlohmann::json;

json compared(const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"compare"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const auto result = tandem_command(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return document_of(result);
}

TEST(Compare, TakesTheFixtureByDefault) {
  const json document = compared({});
  const json demo = document_of(tandem_command({"demo"}));
  EXPECT_EQ(document.at("schema"), "tandem.compare/1");
  EXPECT_EQ(document.at("model").at("input").at("source"), "fixture");
  EXPECT_EQ(document.at("model").at("config"), demo.at("fixture").at("config"));
  EXPECT_EQ(document.at("model").at("parameter_count"), 1372);
  EXPECT_EQ(document.at("loss").at("actual").at("bits"),
            demo.at("snapshot").at("loss").at("bits"));
  EXPECT_TRUE(document.at("comparison") == demo.at("comparison"));
}

TEST(Compare, SaysWhatRanWhere) {
  const json document = compared({});
  EXPECT_EQ(document.at("reference").at("device"), "cpu");
  EXPECT_EQ(document.at("execution").at("device"), "cpu");
  EXPECT_EQ(document.at("operation_check"), nullptr);
  EXPECT_EQ(document.at("verdict"), "passed");
  EXPECT_EQ(document.at("stats").at("gemm_requests"), 0);
}

TEST(Compare, ReportsTheScaledErrorBesideTheCriterion) {
  const json document = compared({});
  for (const json& tensor : document.at("comparison").at("tensors")) {
    EXPECT_EQ(tensor.at("scaled_error"), 0.0);
    EXPECT_EQ(tensor.at("passing_relative_tolerance"), 0.0);
    EXPECT_EQ(tensor.at("worst").at("coordinates").size(),
              tensor.at("shape").size());
  }
}

TEST(Compare, TakesADecoderOfAnySize) {
  const json document = compared(
      {"--vocabulary", "31", "--width", "24", "--heads", "6",
       "--key-value-heads", "2", "--feed-forward-width", "10", "--blocks", "3",
       "--capacity", "16", "--batch", "2", "--tokens", "5"});
  const json& config = document.at("model").at("config");
  EXPECT_EQ(config.at("key_value_heads"), 2);
  EXPECT_EQ(config.at("head_width"), 4);
  EXPECT_EQ(config.at("position_capacity"), 16);
  // Per block: two gains, query and output 24x24, key and value 24x8, three
  // feed-forward matrices 24x10; one gain more, and the table.
  const int block = 2 * 24 + 2 * 24 * 24 + 2 * 24 * 8 + 3 * 24 * 10;
  EXPECT_EQ(document.at("model").at("parameter_count"),
            3 * block + 24 + 31 * 24);
  EXPECT_EQ(document.at("model").at("input").at("source"), "drawn");
  const json& tensors = document.at("comparison").at("tensors");
  EXPECT_EQ(tensors.size(), 5U + 2U + 9U * 3U);
  EXPECT_EQ(tensors.at(3).at("shape"), json({2, 5, 31}));
}

TEST(Compare, DrawsAnotherModelFromAnotherSeed) {
  const json first = compared({"--seed", "1"});
  const json second = compared({"--seed", "2"});
  EXPECT_EQ(first.at("model").at("seed"), 1);
  EXPECT_NE(first.at("loss"), second.at("loss"));
  EXPECT_TRUE(first == compared({"--seed", "1"}));
}

TEST(Compare, DrawsTokensUnlessTheyCanBeTheFixtures) {
  const auto source = [](const std::vector<std::string>& options) {
    return compared(options).at("model").at("input").at("source");
  };
  EXPECT_EQ(source({"--width", "8", "--seed", "4"}), "fixture");
  EXPECT_EQ(source({"--tokens", "2"}), "drawn");
  EXPECT_EQ(source({"--batch", "2"}), "drawn");
  EXPECT_EQ(source({"--vocabulary", "259"}), "drawn");
}

TEST(Compare, DrawsOtherTokensFromAnotherSeed) {
  EXPECT_EQ(compared({"--tokens", "4", "--seed", "18446744073709551615"})
                .at("model")
                .at("seed"),
            18446744073709551615U);
  EXPECT_NE(compared({"--tokens", "4", "--seed", "1"}).at("loss"),
            compared({"--tokens", "4", "--seed", "2"}).at("loss"));
}

TEST(Compare, MakesRoomForMoreTokensThanTheFixtureHas) {
  EXPECT_EQ(compared({"--tokens", "12"})
                .at("model")
                .at("config")
                .at("position_capacity"),
            12);
}

TEST(Compare, TakesTolerancesToTheirLastBit) {
  const json criterion =
      compared({"--absolute-tolerance", "1.1e-13", "--relative-tolerance", "0"})
          .at("comparison")
          .at("criterion");
  EXPECT_EQ(criterion, json({{"absolute", 1.1e-13}, {"relative", 0.0}}));
}

}  // namespace
}  // namespace tandem::test
