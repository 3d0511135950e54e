// The document of a traced operation, against figures made by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

using nlohmann::json;
using testing_support::TemporaryFolder;

json traced(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "trace");
  const auto result = tandem_command(arguments);
  EXPECT_EQ(result.code, 0) << result.err;
  return document_of(result);
}

TEST(TraceMatmul, FollowsTheTinyExampleByDefault) {
  const json document = traced({"matmul"});
  EXPECT_EQ(document.at("schema"), "tandem.trace/1");
  EXPECT_EQ(document.at("product"), json({{"batch", 1},
                                          {"rows", 2},
                                          {"columns", 2},
                                          {"inner", 3},
                                          {"alpha", 1.0}}));
  EXPECT_EQ(values_of(document.at("result")),
            (std::vector<double>{58, 64, 139, 154}));
}

TEST(TraceMatmul, GivesTheArgumentsOfTheNativeCall) {
  EXPECT_EQ(traced({"matmul", "--right", "[[1,2,3,4],[5,6,7,8],[9,8,7,6]]"})
                .at("gemm"),
            json({{"m", 4},
                  {"n", 2},
                  {"k", 3},
                  {"alpha", 1.0},
                  {"lda", 4},
                  {"stride_a", 12},
                  {"ldb", 3},
                  {"stride_b", 6},
                  {"beta", 0.0},
                  {"ldc", 4},
                  {"stride_c", 8},
                  {"batch_count", 1}}));
}

TEST(TraceMatmul, ListsTheProductsAndPartialSumsOfACell) {
  const json cell = traced({"matmul"}).at("cells").at(1);
  EXPECT_EQ(cell.at("left"), json({0, 1, 2}));
  EXPECT_EQ(cell.at("right"), json({1, 3, 5}));
  EXPECT_EQ(cell.at("products"), json({8.0, 20.0, 36.0}));
  EXPECT_EQ(cell.at("partial_sums"), json({8.0, 28.0, 64.0}));
}

TEST(TraceMatmul, AddsInAscendingOrder) {
  // 1e16 + 1 - 1e16 is 0 from the left, 1 in another order.
  const json cell = traced({"matmul", "--left", "[[1e16, 1, -1e16]]", "--right",
                            "[[1],[1],[1]]"})
                        .at("cells")
                        .at(0);
  EXPECT_EQ(cell.at("partial_sums"), json({1e16, 1e16, 0.0}));
}

TEST(TraceMatmul, PacksATransposedOperand) {
  const json left =
      traced({"matmul", "--left", "[[1,4],[2,5],[3,6]]", "--transpose-left"})
          .at("operands")
          .at(0);
  EXPECT_EQ(left.at("shape"), json({3, 2}));
  EXPECT_EQ(left.at("strides"), json({2, 1}));
  EXPECT_EQ(left.at("storage"), json({1.0, 4.0, 2.0, 5.0, 3.0, 6.0}));
  EXPECT_EQ(left.at("packed").at("values"),
            json({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
  EXPECT_EQ(left.at("packed").at("storage_places"), json({0, 2, 4, 1, 3, 5}));
}

TEST(TraceMatmul, TakesAPermutedView) {
  const json left = traced({"matmul", "--left",
                            R"({"shape": [3, 2], "values": [1, 4, 2, 5, 3, 6],
                  "permute": [1, 0], "name": "turned"})"})
                        .at("operands")
                        .at(0);
  EXPECT_EQ(left.at("name"), "turned");
  EXPECT_EQ(left.at("shape"), json({2, 3}));
  EXPECT_EQ(left.at("strides"), json({1, 2}));
  EXPECT_EQ(left.at("packed").at("storage_places"), json({0, 2, 4, 1, 3, 5}));
}

TEST(TraceMatmul, PacksAViewThatRunsBackward) {
  const json left = traced({"matmul", "--left",
                            R"({"shape": [2, 3], "values": [1, 2, 3, 4, 5, 6],
                                "reverse": [0, 1]})"})
                        .at("operands")
                        .at(0);
  EXPECT_EQ(left.at("strides"), json({-3, -1}));
  EXPECT_EQ(left.at("offset"), 5);
  EXPECT_EQ(left.at("packed").at("storage_places"), json({5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(left.at("packed").at("values"),
            json({6.0, 5.0, 4.0, 3.0, 2.0, 1.0}));
}

TEST(TraceMatmul, RepeatsABroadcastOperandForEachBatch) {
  const json document = traced(
      {"matmul", "--left", "[[1, 2]]", "--right", "[[[1],[2]],[[3],[4]]]"});
  EXPECT_EQ(document.at("operands").at(0).at("packed").at("storage_places"),
            json({0, 1, 0, 1}));
  EXPECT_EQ(document.at("cells").at(1).at("left"), json({2, 3}));
  EXPECT_EQ(document.at("cells").at(1).at("right"), json({2, 3}));
  EXPECT_EQ(values_of(document.at("result")), (std::vector<double>{5, 11}));
}

TEST(TraceMatmul, ReadsOperandsFromFiles) {
  const TemporaryFolder folder;
  const auto file = folder.put("left.json", "[[1, 0, 0]]");
  EXPECT_EQ(values_of(traced({"matmul", "--left", file.string()}).at("result")),
            (std::vector<double>{7, 8}));
}

TEST(TraceSum, IsAProductWithOnes) {
  const json document = traced({"sum"});
  EXPECT_EQ(document.at("operation"),
            json({{"name", "sum_axis"}, {"axis", 1}}));
  EXPECT_EQ(document.at("operands").at(1).at("packed").at("values"),
            json({1.0, 1.0, 1.0}));
  EXPECT_EQ(document.at("gemm").at("m"), 1);
  EXPECT_EQ(document.at("gemm").at("n"), 2);
  EXPECT_EQ(document.at("cells").at(1).at("partial_sums"),
            json({4.0, 9.0, 15.0}));
  EXPECT_EQ(values_of(document.at("result")), (std::vector<double>{6, 15}));
}

TEST(TraceSum, PacksTheGroupsOfAnyAxis) {
  const json document = traced({"sum", "--axis", "0"});
  EXPECT_EQ(document.at("operands").at(0).at("packed").at("storage_places"),
            json({0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values_of(document.at("result")), (std::vector<double>{5, 7, 9}));
}

TEST(TraceMean, ScalesByTheReciprocal) {
  const json document = traced({"mean"});
  EXPECT_EQ(document.at("gemm").at("alpha"), 1.0 / 3.0);
  EXPECT_EQ(values_of(document.at("result")), (std::vector<double>{2, 5}));
}

TEST(Trace, WritesThePageBesideTheDocument) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "trace.html";
  traced({"matmul", "--html", file.string()});
  const std::string page = testing_support::content_of(file);
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_EQ(page.find("@data@"), std::string::npos);
  EXPECT_NE(page.find("tandem.trace/1"), std::string::npos);
  EXPECT_LT(page.size(), 300000U);
}

struct Refused {
  std::vector<std::string> arguments;
  int code;
  std::string message;
};

TEST(Trace, SaysWhatIsWrongWithAnOperand) {
  for (const auto& [arguments, code, message] : std::vector<Refused>{
           {{"matmul", "--left", "[[1, 2]]"},
            2,
            "matmul: inner extents differ: left is [1, 2], right is [3, 2]"},
           {{"matmul", "--left", "[[1, 2], [3]]"},
            2,
            "--left: not an operand: lists of one depth differ in length, in "
            "the argument"},
           {{"matmul", "--left", "[[1, 2, \"3\"]]"},
            2,
            "--left: not an operand: a value is not a number, in the argument"},
           {{"matmul", "--right", "[[1], 2, 3]"},
            2,
            "--right: not an operand: lists are not all as deep, in the "
            "argument"},
           {{"matmul", "--left", "/nowhere/left.json"},
            4,
            "--left: cannot be read: /nowhere/left.json"},
           {{"sum", "--axis", "2"},
            2,
            "sum_axis: axis out of range: axis is 2, shape is [2, 3]"},
           {{"sum", "--operand", "[[], []]"},
            2,
            "trace: nothing is multiplied, so there is nothing to follow"}}) {
    std::vector<std::string> whole{"trace"};
    whole.insert(whole.end(), arguments.begin(), arguments.end());
    const auto result = tandem_command(whole);
    EXPECT_EQ(result.code, code);
    EXPECT_TRUE(result.out.empty());
    EXPECT_EQ(result.err, "tandem: " + message + "\n");
  }
}

}  // namespace
}  // namespace tandem::test
