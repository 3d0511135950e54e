// The commands over fake CUDA libraries, and where there are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "cli/command_line.h"
#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

using nlohmann::json;
using testing_support::TemporaryFolder;

const std::string fakes = std::string(FAKE_CUDA_ROOT) + "/13";

std::vector<std::string> on_cuda(const std::string& command,
                                 std::vector<std::string> options = {},
                                 const std::string& folder = fakes) {
  std::vector<std::string> arguments{command, "--device", "cuda",
                                     "--cuda-library-dir", folder};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

// Over libraries in which the product of that number goes wrong.
ProcessResult compare_spoiled(int product, std::vector<std::string> options,
                              const std::string& error = "1") {
  ProcessOptions process;
  process.environment = {
      {"FAKE_CUBLAS_SPOILED_PRODUCT", std::to_string(product)},
      {"FAKE_CUBLAS_ERROR", error}};
  return tandem_command(on_cuda("compare", std::move(options), SPOILED_CUDA),
                        process);
}

const json* tensor_named(const json& document, const std::string& name) {
  for (const json& tensor : document.at("comparison").at("tensors")) {
    if (tensor.at("name") == name) return &tensor;
  }
  return nullptr;
}

TEST(Cuda, RunsTheDemoWithinTheCriterion) {
  const auto result = tandem_command(on_cuda("demo"));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const json document = document_of(result);
  EXPECT_EQ(document.at("execution").at("device"), "cuda:0");
  EXPECT_EQ(document.at("execution").at("libraries").size(), 4U);
  EXPECT_EQ(document.at("execution").at("math"), "native F64");
  EXPECT_EQ(document.at("comparison").at("verdict"), "passed");
  EXPECT_EQ(document.at("stats"), json({{"gemm_requests", 65},
                                        {"host_to_device_bytes", 43728},
                                        {"device_to_host_bytes", 21608}}));
}

TEST(Cuda, TakesTheDeviceOfTheOrdinal) {
  const json document =
      document_of(tandem_command(on_cuda("compare", {"--ordinal", "1"})));
  EXPECT_EQ(document.at("execution").at("device"), "cuda:1");
}

TEST(Cuda, ExitsWith3WhereThereIsNoSuchDevice) {
  for (const char* command : {"demo", "compare"}) {
    const auto result = tandem_command(on_cuda(command, {"--ordinal", "2"}));
    EXPECT_EQ(result.code, 3);
    EXPECT_TRUE(result.out.empty());
    EXPECT_EQ(result.err.rfind("tandem: cuda: ", 0), 0U) << result.err;
  }
}

// The list is searched and nothing else, so that this holds on a machine with
// a GPU too.
TEST(Cuda, ExitsWith3AndOneMessageWhereThereAreNoLibraries) {
  const TemporaryFolder empty;
  for (const char* command : {"demo", "compare"}) {
    const auto result =
        tandem_command(on_cuda(command, {}, empty.path().string()));
    EXPECT_EQ(result.code, 3);
    EXPECT_TRUE(result.out.empty());
    EXPECT_EQ(result.err.rfind("tandem: cuda: ", 0), 0U) << result.err;
    EXPECT_EQ(result.err.find("\ntandem: "), std::string::npos) << result.err;
  }
}

TEST(Cuda, LeavesNoFileWhereThereIsNoDevice) {
  const TemporaryFolder empty;
  const TemporaryFolder folder;
  const auto file = folder.path() / "demo.json";
  const auto result = tandem_command(
      on_cuda("demo", {"--output", file.string()}, empty.path().string()));
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Cuda, LeavesTheCpusFiguresUnchangedAfterAnAttempt) {
  const TemporaryFolder empty;
  const std::string before = tandem_command({"demo"}).out;
  EXPECT_EQ(tandem_command(on_cuda("demo", {}, empty.path().string())).code, 3);
  EXPECT_TRUE(tandem_command({"demo"}).out == before);
}

TEST(Cuda, ComparesADecoderOfAnySize) {
  const auto result = tandem_command(
      on_cuda("compare", {"--vocabulary", "40", "--width", "16", "--heads", "4",
                          "--key-value-heads", "2", "--blocks", "2", "--batch",
                          "2", "--tokens", "6", "--check-operations"}));
  EXPECT_EQ(result.code, 0) << result.err;
  const json document = document_of(result);
  EXPECT_EQ(document.at("comparison").at("verdict"), "passed");
  EXPECT_EQ(document.at("operation_check").at("first_divergence"), nullptr);
  EXPECT_EQ(document.at("operation_check").at("operations"),
            document.at("stats").at("gemm_requests"));
}

TEST(Cuda, ExitsWith1AndPrintsEverythingWhereTheComparisonFails) {
  // The fake adds up from the end, so no two sums are safe to be equal.
  const auto result = tandem_command(on_cuda(
      "compare", {"--absolute-tolerance", "0", "--relative-tolerance", "0"}));
  EXPECT_EQ(result.code, 1);
  const json comparison = document_of(result).at("comparison");
  EXPECT_EQ(comparison.at("verdict"), "failed");
  EXPECT_GT(comparison.at("mismatches"), 100);
  EXPECT_EQ(result.err.rfind("tandem: comparison failed: ", 0), 0U)
      << result.err;
}

TEST(Cuda, ReportsThePassingToleranceThatReallyPasses) {
  const json comparison =
      document_of(
          tandem_command(on_cuda("compare", {"--absolute-tolerance", "0"})))
          .at("comparison");
  double needed = 0;
  for (const json& tensor : comparison.at("tensors")) {
    needed =
        std::max(needed, tensor.at("passing_relative_tolerance").get<double>());
  }
  ASSERT_GT(needed, 0.0);
  const auto code_with = [](double tolerance) {
    return tandem_command(on_cuda("compare", {"--absolute-tolerance", "0",
                                              "--relative-tolerance",
                                              json(tolerance).dump()}))
        .code;
  };
  EXPECT_EQ(code_with(needed), 0);
  EXPECT_EQ(code_with(std::nextafter(needed, 0.0)), 1);
}

TEST(PlantedFault, IsFoundAndNamed) {
  const auto result = compare_spoiled(0, {});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err,
            "tandem: comparison failed: tiny.matrix: differs: 1 of 4 elements, "
            "worst at [0,0]: expected 58.0, got 59.0, "
            "172384071.71177384 times what is allowed\n");
  const json document = document_of(result);
  const json* matrix = tensor_named(document, "tiny.matrix");
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->at("finding"), "differs");
  EXPECT_EQ(matrix->at("mismatches"), 1);
  EXPECT_EQ(matrix->at("worst").at("coordinates"), json({0, 0}));
  EXPECT_EQ(tensor_named(document, "logits")->at("finding"), "equal");
}

TEST(PlantedFault, IsNamedByOperationInTheForwardPass) {
  // Three tiny operations, the mean of the first norm, then the query.
  const auto result = compare_spoiled(4, {"--check-operations"});
  EXPECT_EQ(result.code, 1);
  const json document = document_of(result);
  // The first token has one key to attend to, whatever its query.
  EXPECT_EQ(document.at("comparison").at("verdict"), "passed");
  EXPECT_EQ(document.at("verdict"), "failed");
  const json& found = document.at("operation_check").at("first_divergence");
  EXPECT_EQ(found.at("operation"), "matmul");
  EXPECT_EQ(found.at("scope"), "blocks.0.attention.query");
  EXPECT_EQ(found.at("pass"), "forward");
  EXPECT_EQ(found.at("shape"), json({1, 3, 4}));
  EXPECT_EQ(found.at("index"), 0);
  EXPECT_NE(result.err.find("tandem: first divergence: matmul at "
                            "blocks.0.attention.query, forward: element 0 of "
                            "[1, 3, 4]: expected "),
            std::string::npos)
      << result.err;
}

TEST(PlantedFault, IsNamedByOperationInTheReversePass) {
  const auto result = compare_spoiled(64, {"--check-operations"});
  EXPECT_EQ(result.code, 1);
  const json document = document_of(result);
  const json& found = document.at("operation_check").at("first_divergence");
  EXPECT_EQ(document.at("operation_check").at("operations"), 65);
  EXPECT_EQ(found.at("pass").get<std::string>().rfind("reverse-", 0), 0U);
  EXPECT_EQ(tensor_named(document, "loss")->at("finding"), "equal");
}

TEST(PlantedFault, FailsWhereItMakesAValueNan) {
  const auto result = compare_spoiled(0, {}, "nan");
  EXPECT_EQ(result.code, 1);
  const json document = document_of(result);
  const json* matrix = tensor_named(document, "tiny.matrix");
  EXPECT_EQ(matrix->at("finding"), "nonfinite");
  EXPECT_EQ(matrix->at("worst").at("actual"), "nan");
  EXPECT_EQ(matrix->at("worst").at("ratio_to_allowance"), "inf");
}

TEST(PlantedFault, IsNamedEvenWhereNanEndsTheRun) {
  const auto result = compare_spoiled(4, {"--check-operations"}, "nan");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(result.out.empty());
  EXPECT_NE(result.err.find("blocks.0.attention.query"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("is not finite"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace tandem::test
