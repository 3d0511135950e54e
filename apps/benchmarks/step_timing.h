// Times one step many times, and prints one line a program can read.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "decoder_sizes.h"

namespace benchmark {

struct StepOptions {
  DecoderSizes sizes;
  int threads = 1;
  int repetitions = 5;
};

/// Arguments: `large` or `fixture`, threads, repetitions.
inline StepOptions parse_step_options(int argc, char** argv) {
  StepOptions options;
  if (argc > 1 && std::string(argv[1]) == "fixture") {
    options.sizes = fixture_sizes();
  }
  if (argc > 2) options.threads = std::atoi(argv[2]);
  if (argc > 3) options.repetitions = std::atoi(argv[3]);
  return options;
}

template <class Step>
void report(const char* name, const StepOptions& options, const Step& step) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  step();  // first touch of memory and code
  for (int i = 0; i < options.repetitions; ++i) {
    const auto start = Clock::now();
    step();
    seconds.push_back(
        std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-20s threads %d median %.6f s minimum %.6f s peak %ld MiB\n",
              name, options.threads, seconds[seconds.size() / 2], seconds[0],
              usage.ru_maxrss / 1024);
}

}  // namespace benchmark
