// Attention on the device by products, and tiled on the CPU.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/compare/snapshot.h>
#include <tandem/execution/functions.h>
#include <tandem/nn/decoder.h>

#include <cmath>
#include <vector>

#include "cuda/fake_context.h"
#include "fake_cuda/control.h"

namespace tandem {
namespace {

Tensor waves(const Shape& shape, double step) {
  std::vector<double> values(element_count(shape, "test"));
  double at = 0.0;
  for (double& value : values) value = std::sin(at += step);
  return Tensor(shape, values);
}

// The native products of one loss and its gradients.
std::size_t requests(const ExecutionContext& context) {
  const compare::DecoderFixture fixture = compare::decoder_fixture();
  nn::SplitMix64 generator(fixture.seed);
  const nn::Decoder decoder(fixture.config, generator);
  const std::size_t before = context.stats().gemm_requests;
  decoder
      .loss(fixture.input.tokens, fixture.input.shape, fixture.input.targets,
            autograd::Context::recording().with_execution(context))
      .backward(context);
  return context.stats().gemm_requests - before;
}

TEST(CudaAttention, RunsTiledOnTheCpu) {
  const ExecutionContext cuda = fake_cuda_context();
  const Tensor query = waves({2, 9, 4}, 0.7);
  const Tensor key = waves({2, 9, 4}, 0.3);
  const Tensor on_cuda = tiled_attention(query, key, key, {4, 2}, cuda);
  const Tensor on_cpu = tiled_attention(query, key, key, {4, 2});
  EXPECT_TRUE(std::equal(on_cuda.values().begin(), on_cuda.values().end(),
                         on_cpu.values().begin()));
  EXPECT_EQ(cuda.stats(), ExecutionStats{});
}

// A block has nine products, of which two are scores and mixing; the head is
// one more. A product has two in reverse. Five norms take a mean each.
TEST(CudaAttention, SendsNeitherScoresNorMixingWhereItIsTiled) {
  const ExecutionContext cuda = fake_cuda_context();
  EXPECT_EQ(requests(cuda), 3 * (2 * 9 + 1) + 5u);
  EXPECT_EQ(requests(cuda.with_tiled_attention({2, 2})), 3 * (2 * 7 + 1) + 5u);
}

}  // namespace
}  // namespace tandem
