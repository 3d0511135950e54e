// Decoders of several batches and heads, some with fewer key/value heads,
// against an independent implementation.
#include "support/llama_golden.h"

#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>

#include <iostream>
#include <set>

#include "support/bits.h"
#include "support/shared_directory.h"

namespace tandem::test {
namespace {

constexpr double relative = 1e-10;
constexpr double absolute = 1e-12;

void expect_agreement(const LlamaGolden& golden,
                      const autograd::Context& context = {}) {
  const nn::Decoder& decoder = golden.decoder();
  decoder.parameters().zero_grad();
  const auto logits =
      decoder.logits(golden.tokens(), golden.input_shape(), context);
  EXPECT_TRUE(close_to(logits.view(), golden.logits().shape(),
                       values_of(golden.logits()), relative, absolute));
  const auto loss = decoder.loss(golden.tokens(), golden.input_shape(),
                                 golden.targets(), context);
  EXPECT_TRUE(close_to(loss.view(), {}, {golden.loss()}, relative, absolute));
  loss.backward();
  for (const auto& [name, parameter] : decoder.parameters().entries()) {
    const Tensor expected = golden.gradient(name);
    EXPECT_TRUE(close_to(parameter.gradient(), expected.shape(),
                         values_of(expected), relative, absolute))
        << name;
  }
}

std::vector<std::filesystem::path> golden_files() {
  return shared_files("golden", "llama_", ".safetensors");
}

TEST(LlamaGolden, AgreesInLogitsLossAndEveryGradient) {
  TANDEM_NEED_SHARED("golden");
  std::set<bool> grouped;
  for (const auto& path : golden_files()) {
    SCOPED_TRACE(path.filename().string());
    const LlamaGolden golden(path);
    expect_agreement(golden);
    grouped.insert(golden.config().key_value_heads < golden.config().heads);
  }
  std::cout << golden_files().size() << " decoders compared\n";
  EXPECT_EQ(grouped, (std::set<bool>{false, true}))
      << "decoders with and without grouped heads are needed";
}

TEST(LlamaGolden, AgreesWithTiledAttention) {
  TANDEM_NEED_SHARED("golden");
  EXPECT_FALSE(golden_files().empty());
  for (const auto& path : golden_files()) {
    const LlamaGolden golden(path);
    for (const AttentionTiles tiles :
         {AttentionTiles{1, 1}, {3, 2}, {4, 8}, {64, 64}}) {
      SCOPED_TRACE(path.filename().string() + ", tiles " +
                   std::to_string(tiles.query_rows) + "x" +
                   std::to_string(tiles.key_rows));
      expect_agreement(golden,
                       autograd::Context::recording().with_execution(
                           ExecutionContext().with_tiled_attention(tiles)));
    }
  }
}

}  // namespace
}  // namespace tandem::test
