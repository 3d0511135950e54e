// The document of the demo on the CPU, against the library itself.
#include <gtest/gtest.h>
#include <tandem/compare/snapshot.h>
#include <tandem/version.h>

#include <bit>
#include <cstdint>

#include "cli/command_line.h"
#include "support/libm_probe.h"

namespace tandem::test {
namespace {

using nlohmann::json;

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint64_t from_hex(const json& text) {
  EXPECT_EQ(text.get<std::string>().size(), 16U);
  return std::stoull(text.get<std::string>(), nullptr, 16);
}

void expect_same_bits(const json& found, const Tensor& tensor) {
  EXPECT_EQ(
      found.at("shape").get<std::vector<std::size_t>>(),
      std::vector<std::size_t>(tensor.shape().begin(), tensor.shape().end()));
  const auto values = values_of(found);
  ASSERT_EQ(values.size(), tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(bits(values[i]), bits(tensor.values()[i])) << i;
  }
}

class Demo : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    result_ = tandem_command({"demo"});
    document_ = document_of(result_);
    const auto fixture = compare::decoder_fixture();
    nn::SplitMix64 generator(fixture.seed);
    snapshot_ = compare::take_snapshot(nn::Decoder(fixture.config, generator),
                                       fixture.input);
  }

  static inline ProcessResult result_;
  static inline json document_;
  static inline compare::Snapshot snapshot_;
};

TEST_F(Demo, ExitsWithZeroAndSaysNothingElse) {
  EXPECT_EQ(result_.code, 0);
  EXPECT_EQ(result_.err, "");
  EXPECT_EQ(result_.out.back(), '\n');
}

TEST_F(Demo, NamesItsSchemaAndBuild) {
  EXPECT_EQ(document_.at("schema"), "tandem.demo/1");
  EXPECT_EQ(document_.at("build").at("version"), version());
  EXPECT_EQ(document_.at("execution").at("device"), "cpu");
  EXPECT_EQ(document_.at("execution").at("matmul_precision"), "F64");
}

TEST_F(Demo, DescribesTheFixture) {
  const json& fixture = document_.at("fixture");
  EXPECT_EQ(fixture.at("seed"), 39);
  EXPECT_EQ(fixture.at("text"), "ab");
  EXPECT_EQ(fixture.at("document"), json({0, 99, 100, 1}));
  EXPECT_EQ(fixture.at("inputs"), json({0, 99, 100}));
  EXPECT_EQ(fixture.at("targets"), json({99, 100, 1}));
  EXPECT_EQ(fixture.at("config").at("vocabulary"), 258);
  EXPECT_EQ(fixture.at("config").at("head_width"), 4);
}

TEST_F(Demo, DoesTheTinyArithmetic) {
  const json& tiny = document_.at("arithmetic");
  EXPECT_EQ(tiny.at("matmul"),
            json({{"shape", {2, 2}}, {"values", {58.0, 64.0, 139.0, 154.0}}}));
  EXPECT_EQ(values_of(tiny.at("sum_axis_1_of_left")),
            (std::vector<double>{6, 15}));
  EXPECT_EQ(values_of(tiny.at("mean_axis_1_of_left")),
            (std::vector<double>{2, 5}));
  EXPECT_EQ(values_of(tiny.at("left")),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Demo, PrintsTheLossToItsLastBit) {
  const json& loss = document_.at("snapshot").at("loss");
  EXPECT_EQ(bits(loss.at("value")), bits(snapshot_.loss.item()));
  EXPECT_EQ(from_hex(loss.at("bits")), bits(snapshot_.loss.item()));
  EXPECT_EQ(loss.at("unit"), "nats");
}

TEST_F(Demo, HasTheLossThatIsDocumented) {
  if (!golden_bits_hold()) {
    GTEST_SKIP() << "other elementary functions: " << differing_functions();
  }
  EXPECT_EQ(document_.at("snapshot").at("loss").at("bits"), "4016ac70bf03b620");
}

TEST_F(Demo, PrintsEveryLogitToItsLastBitTwice) {
  const json& logits = document_.at("snapshot").at("logits");
  expect_same_bits(logits, snapshot_.logits);
  ASSERT_EQ(logits.at("bits").size(), 774U);
  for (std::size_t i = 0; i < 774; ++i) {
    EXPECT_EQ(from_hex(logits.at("bits")[i]),
              bits(snapshot_.logits.values()[i]));
  }
}

TEST_F(Demo, PrintsEveryGradientToItsLastBit) {
  const json& gradients = document_.at("snapshot").at("gradients");
  ASSERT_EQ(gradients.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(gradients[i].at("name"), snapshot_.gradients[i].name);
    expect_same_bits(gradients[i], snapshot_.gradients[i].value);
  }
}

TEST_F(Demo, CountsTheTiedTableOnce) {
  EXPECT_EQ(document_.at("snapshot").at("parameter_count"), 1372);
  EXPECT_EQ(document_.at("snapshot").at("is_table_tied"), true);
}

TEST_F(Demo, CountsNoNativeWorkOnTheCpu) {
  EXPECT_EQ(document_.at("stats"), json({{"gemm_requests", 0},
                                         {"host_to_device_bytes", 0},
                                         {"device_to_host_bytes", 0}}));
}

TEST_F(Demo, FindsNoDifferenceToAFreshReference) {
  const json& comparison = document_.at("comparison");
  EXPECT_EQ(comparison.at("verdict"), "passed");
  EXPECT_EQ(comparison.at("criterion"),
            json({{"absolute", 1e-12}, {"relative", 1e-10}}));
  EXPECT_EQ(comparison.at("count"), 4 + 2 + 2 + 774 + 1 + 1372);
  EXPECT_EQ(comparison.at("mismatches"), 0);
  EXPECT_EQ(comparison.at("tensors").size(), 25U);
  for (const json& tensor : comparison.at("tensors")) {
    EXPECT_EQ(tensor.at("finding"), "equal");
    EXPECT_EQ(tensor.at("worst").at("ulps"), 0);
  }
}

TEST_F(Demo, PrintsTheSameBytesAgain) {
  EXPECT_TRUE(tandem_command({"demo"}).out == result_.out);
}

TEST_F(Demo, PrintsTheSameBytesInALocaleOfOtherNumbers) {
  ProcessOptions options;
  options.environment = {{"LC_ALL", "de_DE.UTF-8"}, {"LANG", "de_DE.UTF-8"}};
  EXPECT_TRUE(tandem_command({"demo"}, options).out == result_.out);
}

TEST_F(Demo, PrintsTheSameBytesWithTheChoiceSpelledOut) {
  EXPECT_TRUE(tandem_command({"demo", "--device", "cpu"}).out == result_.out);
}

}  // namespace
}  // namespace tandem::test
