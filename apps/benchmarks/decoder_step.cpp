// One forward and backward of a decoder, timed. Run beside decoder_torch.
#include <tandem/nn/decoder.h>
#include <tandem/version.h>

#include <vector>

#include "decoder_sizes.h"
#include "step_timing.h"

namespace {

std::vector<tandem::TokenId> draw(std::size_t count, std::size_t vocabulary,
                                  tandem::nn::SplitMix64& generator) {
  std::vector<tandem::TokenId> tokens(count);
  for (auto& token : tokens) token = generator.next() % vocabulary;
  return tokens;
}

}  // namespace

int main(int argc, char** argv) {
  using tandem::nn::SplitMix64;
  const auto options = benchmark::parse_step_options(argc, argv);
  const auto extent = [](std::int64_t value) {
    return static_cast<std::size_t>(value);
  };
  const auto& sizes = options.sizes;
  tandem::nn::DecoderConfig config;
  config.vocabulary = extent(sizes.vocabulary);
  config.width = extent(sizes.width);
  config.heads = extent(sizes.heads);
  config.feed_forward_width = extent(sizes.feed_forward_width);
  config.blocks = extent(sizes.blocks);
  config.position_capacity = extent(sizes.tokens);
  SplitMix64 generator(1);
  const tandem::nn::Decoder model(config, generator);
  const tandem::Shape shape{extent(sizes.batch), extent(sizes.tokens)};
  const std::size_t count = shape[0] * shape[1];
  const auto tokens = draw(count, config.vocabulary, generator);
  const auto targets = draw(count, config.vocabulary, generator);
  const auto execution = tandem::ExecutionContext::cpu(
      {static_cast<std::size_t>(options.threads)});
  const auto context =
      tandem::autograd::Context::recording().with_execution(execution);
  benchmark::report("tandem " TANDEM_VERSION, options, [&] {
    model.parameters().zero_grad();
    model.loss(tokens, shape, targets, context).backward(execution);
  });
}
