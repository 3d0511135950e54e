// What this machine can do at most, and how near to it sums come: the peak of
// multiplications and additions, read bandwidth, sums over either axis.
// Compiled for this very CPU.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cpu/reduce.h"

namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif

typedef double Doubles __attribute__((vector_size(vector_bytes)));
typedef std::uint64_t Words __attribute__((vector_size(vector_bytes)));

constexpr std::size_t lanes = vector_bytes / sizeof(double);

// As many independent multiplications as additions, none waiting for another.
void multiply_add_peak(benchmark::State& state) {
  constexpr std::size_t chains = vector_bytes == 64 ? 12 : 6;
  constexpr int rounds = 1000;
  Doubles products[chains] = {};
  Doubles sums[chains] = {};
  for (std::size_t i = 0; i < chains; ++i) {
    // Hidden, or the compiler would keep one chain for all.
    asm volatile("" : "+v"(products[i]), "+v"(sums[i]));
  }
  Doubles factor = Doubles{} + 1.0000001;
  Doubles term = Doubles{} + 1e-9;
  for (auto unused : state) {
    asm volatile("" : "+v"(factor), "+v"(term));
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
      for (std::size_t i = 0; i < chains; ++i) {
        products[i] = products[i] * factor;
        sums[i] = sums[i] + term;
      }
    }
  }
  for (std::size_t i = 0; i < chains; ++i) {
    benchmark::DoNotOptimize(products[i] + sums[i]);
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(2.0 * chains * lanes * rounds * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate);
}

void count_bytes(benchmark::State& state, std::size_t values) {
  state.counters["GB/s"] =
      benchmark::Counter(static_cast<double>(values * sizeof(double)) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate);
}

void read(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0)) / sizeof(double);
  const std::vector<double> values(count, 1.0);
  for (auto unused : state) {
    std::array<Words, 8> seen{};
    for (std::size_t i = 0; i + 8 * lanes <= count; i += 8 * lanes) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < 8; ++v) {
        Words next;
        std::memcpy(&next, values.data() + i + v * lanes, sizeof next);
        seen[v] |= next;
      }
    }
    for (Words& word : seen) benchmark::DoNotOptimize(word);
  }
  count_bytes(state, count);
}

// An array of `bytes` bytes as [rows, columns], summed over one of them.
void sum_over(benchmark::State& state, bool across_columns,
              std::size_t columns) {
  const auto count = static_cast<std::size_t>(state.range(0)) / sizeof(double);
  const std::size_t rows = count / columns;
  const std::vector<double> values(count, 1.0);
  const std::size_t groups[] = {across_columns ? columns : rows};
  const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns);
  const std::ptrdiff_t group_strides[] = {across_columns ? 1 : stride};
  std::vector<double> output(groups[0]);
  const tandem::cpu::Reduction reduction{groups,
                                         group_strides,
                                         across_columns ? rows : columns,
                                         across_columns ? stride : 1,
                                         values.data(),
                                         output.data()};
  for (auto unused : state) {
    tandem::cpu::sum(reduction, 1);
    benchmark::ClobberMemory();
  }
  count_bytes(state, count);
}

constexpr std::int64_t in_cache = 2 << 20;
constexpr std::int64_t in_memory = 256 << 20;

BENCHMARK(multiply_add_peak);
BENCHMARK(read)->Arg(in_cache)->Arg(in_memory);
BENCHMARK_CAPTURE(sum_over, across_columns, true, 1024)
    ->Arg(in_cache)
    ->Arg(in_memory);
BENCHMARK_CAPTURE(sum_over, along_rows, false, 1024)
    ->Arg(in_cache)
    ->Arg(in_memory);
BENCHMARK_CAPTURE(sum_over, along_8_rows, false, in_cache / 64)->Arg(in_cache);
BENCHMARK_CAPTURE(sum_over, along_one_row, false, in_cache / 8)->Arg(in_cache);

}  // namespace

BENCHMARK_MAIN();
