// The node tests of the ONNX standard, computed by compositions of public
// operations.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>

#include <cstdio>
#include <map>

#include "conformance/onnx/node.h"
#include "support/bits.h"
#include "support/devices.h"
#include "support/json_tensors.h"
#include "support/shared_directory.h"

namespace tandem::test {
namespace {

using nlohmann::json;

struct Tally {
  std::size_t passed = 0;
  std::size_t refused = 0;
  std::size_t unsupported = 0;
  std::size_t failed = 0;

  std::size_t all() const { return passed + refused + unsupported + failed; }
};

testing::AssertionResult within(const Tensor& actual, const Shape& shape,
                                const json& expected, const json& tolerance) {
  return close_to(actual, shape, to_doubles(expected),
                  tolerance.at("rtol").get<double>(),
                  tolerance.at("atol").get<double>());
}

// Outputs that are copies of inputs are stated as f32 alone.
bool has_f64(const json& test, std::size_t output) {
  return test.contains("outputs_f64") &&
         !test.at("outputs_f64").at(output).is_null();
}

testing::AssertionResult matches(const json& test,
                                 const onnx::Outputs& outputs) {
  const json& expected = test.at("outputs");
  if (outputs.size() < expected.size()) {
    return testing::AssertionFailure() << "outputs are missing";
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].is_null()) continue;
    const Shape shape(to_sizes(expected[i].at("shape")));
    const auto result =
        has_f64(test, i)
            ? within(outputs[i], shape, test.at("outputs_f64")[i],
                     test.at("tol_f64"))
            : within(outputs[i], shape, expected[i].at("data"), test.at("tol"));
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

// The one thing that the library refuses by specification: a maximum of
// nothing, which has no value in the real numbers.
bool is_documented_refusal(const json& test, const ShapeError& error) {
  return test.at("op") == "ReduceMax" &&
         std::string(error.what()).rfind("max_axis: axis is empty", 0) == 0;
}

class OnnxNodes : public DeviceTest {
 protected:
  void check(const json& test);
  void report() const;

  std::map<std::string, Tally> tiers_;
};

void OnnxNodes::check(const json& test) {
  SCOPED_TRACE(test.at("name").get<std::string>());
  const auto tier = test.at("tier").get<std::string>();
  Tally& tally = tiers_[tier];
  try {
    const auto result = matches(test, onnx::run(onnx::Node(test, context())));
    ++(result ? tally.passed : tally.failed);
    EXPECT_TRUE(result);
  } catch (const onnx::Unsupported& reason) {
    ++tally.unsupported;
    EXPECT_EQ(tier, "extended") << reason.what();
    std::printf("unsupported: %s: %s\n",
                test.at("name").get<std::string>().c_str(), reason.what());
  } catch (const ShapeError& error) {
    ++(is_documented_refusal(test, error) ? tally.refused : tally.failed);
    EXPECT_TRUE(is_documented_refusal(test, error)) << error.what();
  }
}

void OnnxNodes::report() const {
  for (const auto& [tier, tally] : tiers_) {
    std::printf("%s: %zu passed, %zu refused, %zu unsupported, %zu failed\n",
                tier.c_str(), tally.passed, tally.refused, tally.unsupported,
                tally.failed);
  }
}

TEST_P(OnnxNodes, AreComputedByCompositions) {
  TANDEM_NEED_SHARED("cases/onnx_node_cases.json");
  for (const auto& path : shared_files("cases", "onnx_node_cases", ".json")) {
    const json document = read_json(path);
    for (const auto& test : document.at("cases")) check(test);
  }
  report();
  EXPECT_GT(tiers_["core"].all(), 0u) << "no case was found";
  EXPECT_GT(tiers_["composable"].all(), 0u) << "no case was found";
}

TANDEM_ON_EVERY_DEVICE(OnnxNodes);

}  // namespace
}  // namespace tandem::test
