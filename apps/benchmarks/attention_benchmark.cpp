// Times a decoder with dense and with tiled attention, and measures the memory
// that each takes at its peak. Every measurement is a process of its own.
#include <sys/resource.h>
#include <sys/wait.h>
#include <tandem/autograd/context.h>
#include <tandem/nn/decoder.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tandem;

// Zero rows: dense.
struct Case {
  std::size_t tokens;
  AttentionTiles tiles;
};

struct Measurement {
  double forward_ms = 0;
  double training_ms = 0;  // forward and backward
  double peak_mib = 0;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::milli> passed =
      std::chrono::steady_clock::now() - start;
  return passed.count();
}

nn::DecoderConfig config_for(std::size_t tokens) {
  nn::DecoderConfig config;
  config.vocabulary = 258;
  config.width = 128;
  config.heads = 4;
  config.feed_forward_width = 256;
  config.blocks = 1;
  config.position_capacity = tokens;
  return config;
}

ExecutionContext execution_of(const Case& measured) {
  const ExecutionContext execution;
  return measured.tiles.query_rows == 0
             ? execution
             : execution.with_tiled_attention(measured.tiles);
}

// The least of three runs.
Measurement measure(const Case& measured) {
  nn::SplitMix64 generator(1);
  const nn::Decoder decoder(config_for(measured.tokens), generator);
  std::vector<TokenId> tokens(measured.tokens);
  for (TokenId& token : tokens) token = generator.next() % 258;
  const Shape shape{1, measured.tokens};
  const auto execution = execution_of(measured);
  Measurement least{1e300, 1e300, 0};
  for (int run = 0; run < 3; ++run) {
    auto start = std::chrono::steady_clock::now();
    decoder.loss(tokens, shape, tokens,
                 autograd::Context::no_grad().with_execution(execution));
    least.forward_ms = std::min(least.forward_ms, milliseconds_since(start));
    start = std::chrono::steady_clock::now();
    decoder
        .loss(tokens, shape, tokens,
              autograd::Context::recording().with_execution(execution))
        .backward(execution);
    least.training_ms = std::min(least.training_ms, milliseconds_since(start));
  }
  return least;
}

// Runs the case in a child, so that its peak is its own.
Measurement measure_alone(const Case& measured) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const Measurement result = measure(measured);
    const bool written =
        write(ends[1], &result, sizeof result) == sizeof result;
    _exit(written ? 0 : 1);
  }
  Measurement result;
  const bool read_all = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  close(ends[1]);
  rusage usage{};
  int status = 0;
  if (wait4(child, &status, 0, &usage) != child || !read_all || status != 0) {
    std::fprintf(stderr, "a measurement failed\n");
    std::exit(1);
  }
  result.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

std::string name_of(const AttentionTiles& tiles) {
  return tiles.query_rows == 0 ? "dense"
                               : std::to_string(tiles.query_rows) + "x" +
                                     std::to_string(tiles.key_rows);
}

}  // namespace

int main() {
  std::printf("%8s %10s %12s %14s %10s\n", "tokens", "attention", "forward ms",
              "and reverse ms", "peak MiB");
  for (const std::size_t tokens : {512u, 1024u, 2048u, 4096u}) {
    for (const AttentionTiles tiles :
         {AttentionTiles{0, 0}, {32, 32}, {64, 64}, {128, 128}}) {
      const Measurement result = measure_alone({tokens, tiles});
      std::printf("%8zu %10s %12.1f %14.1f %10.0f\n", tokens,
                  name_of(tiles).c_str(), result.forward_ms, result.training_ms,
                  result.peak_mib);
      std::fflush(stdout);
    }
  }
}
