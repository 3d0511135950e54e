// Every native call fails, at each of its calls, in every documented way.
#include <gtest/gtest.h>
#include <tandem/compare/snapshot.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cuda/fault_sweep.h"

namespace tandem {
namespace {

std::vector<double> list(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

void expect_tiny_results(const compare::TinyArithmetic& tiny) {
  EXPECT_EQ(list(tiny.matrix), (std::vector<double>{58, 64, 139, 154}));
  EXPECT_EQ(list(tiny.sums), (std::vector<double>{6, 15}));
  EXPECT_EQ(list(tiny.means), (std::vector<double>{2, 5}));
}

// The whole of it: a decoder forward and backward.
void snapshot(const ExecutionContext& context) {
  static const compare::DecoderFixture fixture = compare::decoder_fixture();
  static const auto model = [] {
    nn::SplitMix64 random(fixture.seed);
    return nn::Decoder(fixture.config, random);
  }();
  const auto taken = compare::take_snapshot(model, fixture.input, context);
  expect_tiny_results(taken.tiny);
  EXPECT_EQ(taken.stats, (ExecutionStats{65, 43728, 21608}));
}

// Requests large enough for the three lanes: two of ordinary memory, in more
// pieces than there are buffers for, and one of pinned memory.
void large_requests(const ExecutionContext& context) {
  static const Tensor left = Tensor::ones({58000, 10});
  static const Tensor right = Tensor::ones({10, 2});
  const Tensor product = context.matmul(left, right);
  EXPECT_EQ(product.at({57999, 1}), 10.0);
  const Tensor small = Tensor::ones({2, 2});
  EXPECT_EQ(context.matmul(product, small).at({57999, 1}), 20.0);
}

// About the smallest of which the device is asked whether it holds a NaN.
void checked_request(const ExecutionContext& context) {
  static const Tensor left = Tensor::ones({17000, 2});
  const Tensor product = context.matmul(left, Tensor::ones({2, 2}));
  EXPECT_EQ(product.at({16999, 1}), 2.0);
}

void tiny_requests(const ExecutionContext& context) {
  expect_tiny_results(compare::tiny_arithmetic(context));
}

// For whoever runs the whole program: how many faults that was.
class Total : public testing::Environment {
  void TearDown() override {
    std::cout << FaultSweep::faults_struck() << " faults struck\n";
  }
};

const testing::Environment* const total =
    testing::AddGlobalTestEnvironment(new Total);

class EveryFault : public testing::TestWithParam<EntryPoint> {};

TEST_P(EveryFault, OfASnapshotIsATypedErrorAndNothingElse) {
  FaultSweep sweep(snapshot);
  sweep.check_counters();
  sweep.run(GetParam());
}

TEST_P(EveryFault, OfLargeRequestsIsATypedErrorAndNothingElse) {
  FaultSweep sweep(large_requests);
  sweep.run_briefly(GetParam());
}

TEST_P(EveryFault, InAPairIsATypedErrorAndNothingElse) {
  FaultSweep sweep(tiny_requests);
  for (const EntryPoint& second : entry_points())
    sweep.run_with(GetParam(), second);
}

// About tiny results the device is not asked.
TEST(FaultOfTheNanCheck, InAPairIsATypedErrorAndNothingElse) {
  FaultSweep sweep(checked_request);
  const auto& entries = entry_points();
  const auto check = std::find_if(
      entries.begin(), entries.end(),
      [](const auto& entry) { return entry.function == "cublasDasum_v2_64"; });
  for (const EntryPoint& second : entries) sweep.run_with(*check, second);
}

INSTANTIATE_TEST_SUITE_P(, EveryFault, testing::ValuesIn(entry_points()),
                         [](const auto& entry) {
                           return entry.param.function;
                         });

}  // namespace
}  // namespace tandem
