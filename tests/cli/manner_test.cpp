// The options that choose how a decoder runs: precision and attention tiles.
#include <gtest/gtest.h>

#include <string>

#include "cli/command_line.h"

namespace tandem::test {
namespace {

using nlohmann::json;

json run(const std::vector<std::string>& arguments) {
  const auto result = tandem_command(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return document_of(result);
}

TEST(Manner, TellsThePrecisionOfBothSides) {
  for (const std::string precision : {"F64", "F16F32", "Bf16F32"}) {
    for (const std::string command : {"demo", "compare"}) {
      const json document = run({command, "--precision", precision});
      for (const char* side : {"execution", "reference"}) {
        EXPECT_EQ(document.at(side).at("matmul_precision").get<std::string>(),
                  precision);
      }
      EXPECT_EQ(document.at("comparison").at("mismatches"), 0);
    }
  }
}

TEST(Manner, ChangesTheLossByThePrecision) {
  const auto loss = [](const std::string& precision) {
    return run({"demo", "--precision", precision})
        .at("snapshot")
        .at("loss")
        .at("value")
        .get<double>();
  };
  EXPECT_NE(loss("F16F32"), loss("F64"));
  EXPECT_NE(loss("F16F32"), loss("Bf16F32"));
  EXPECT_NEAR(loss("F16F32"), loss("F64"), 1e-2);
}

TEST(Manner, JudgesTilesByDenseAttention) {
  const json document = run({"demo", "--attention-tiles", "2x3"});
  EXPECT_EQ(document.at("execution").at("attention_tiles"),
            (json{{"query_rows", 2}, {"key_rows", 3}}));
  EXPECT_FALSE(document.at("reference").contains("attention_tiles"));
  EXPECT_EQ(document.at("comparison").at("verdict"), "passed");
}

TEST(Manner, RefusesTilesThatAreNoTiles) {
  for (const std::string tiles : {"3", "0x3", "3x0", "3x", "x3", "-1x2",
                                  "2x3x4", "2X3", "99999999999999999999x1"}) {
    const auto result = tandem_command({"demo", "--attention-tiles", tiles});
    EXPECT_EQ(result.code, 2) << tiles;
    EXPECT_EQ(result.out, "") << tiles;
  }
}

TEST(Manner, RefusesAPrecisionThatCudaDoesNotHaveBeforeAnyDriver) {
  const auto result =
      tandem_command({"demo", "--device", "cuda", "--precision", "Bf16F32"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "tandem: cuda: CUDA computes products in F64 only: asked for "
            "Bf16F32\n");
}

}  // namespace
}  // namespace tandem::test
