// Times one peer's products. compare.py runs the peers in turn and prints how
// they compare.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "peer.h"

namespace {

std::vector<peer::Case> cases() {
  std::vector<peer::Case> all;
  for (std::size_t n :
       {4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u}) {
    all.push_back({"n=" + std::to_string(n), n, n, n});
  }
  for (std::size_t m : {1u, 4u, 16u, 64u}) {
    all.push_back({"M=" + std::to_string(m) + " K=768 N=3072", m, 3072, 768});
  }
  all.push_back({"64 x 64^3", 64, 64, 64, 64});
  all.push_back({"M=1 B transposed", 1, 3072, 768, 1, true});
  all.push_back({"M=64 B transposed", 64, 3072, 768, 1, true});
  all.push_back({"N=1 M=3072", 3072, 1, 768});
  return all;
}

std::vector<double> random_values(std::size_t count) {
  std::mt19937_64 bits(count);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(bits);
  return values;
}

void run(benchmark::State& state, const peer::Case& shape) {
  const auto left = random_values(shape.count * shape.m * shape.k);
  const auto right = random_values(shape.count * shape.k * shape.n);
  std::vector<double> output(shape.count * shape.m * shape.n);
  peer::multiply(shape, left.data(), right.data(), output.data());
  for (auto unused : state) {
    peer::multiply(shape, left.data(), right.data(), output.data());
    benchmark::DoNotOptimize(output.data());
    benchmark::ClobberMemory();
  }
  const double work = 2.0 * static_cast<double>(output.size() * shape.k);
  state.counters["GFLOP/s"] = benchmark::Counter(
      work * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("kernel", peer::kernel());
  benchmark::AddCustomContext("threads", std::to_string(peer::threads()));
  for (const peer::Case& shape : cases()) {
    benchmark::RegisterBenchmark(shape.name.c_str(), run, shape)->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
}
