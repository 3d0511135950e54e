#include <tandem/compare/snapshot.h>
#include <tandem/tensor/error.h>
#include <tandem/text/byte_pair_tokenizer.h>

#include <utility>

namespace tandem::compare {
namespace {

ExecutionStats difference(const ExecutionStats& after,
                          const ExecutionStats& before) {
  return {after.gemm_requests - before.gemm_requests,
          after.host_to_device_bytes - before.host_to_device_bytes,
          after.device_to_host_bytes - before.device_to_host_bytes};
}

}  // namespace

TinyArithmetic tiny_arithmetic(const ExecutionContext& execution) {
  const ExecutionContext context = execution.scoped("tiny");
  TinyArithmetic tiny;
  tiny.left = Tensor({2, 3}, {1, 2, 3, 4, 5, 6});
  tiny.right = Tensor({3, 2}, {7, 8, 9, 10, 11, 12});
  tiny.matrix = context.matmul(tiny.left, tiny.right);
  tiny.sums = context.sum_axis(tiny.left, 1);
  tiny.means = context.mean_axis(tiny.left, 1);
  return tiny;
}

Snapshot take_snapshot(const nn::Decoder& model, const DecoderInput& input,
                       const ExecutionContext& execution) {
  const ExecutionStats before = execution.stats();
  model.parameters().zero_grad();
  Snapshot snapshot;
  snapshot.tiny = tiny_arithmetic(execution);

  const auto context = autograd::Context::recording().with_execution(execution);
  const auto hidden = model.backbone().forward(
      model.encoder().encode(input.tokens, input.shape, context));
  const auto logits = model.head().logits(hidden);
  const auto loss = model.head().loss(logits, input.targets, context);
  loss.backward(execution);

  snapshot.logits = logits.value();
  snapshot.loss = loss.value();
  for (const auto& [name, parameter] : model.parameters().entries()) {
    snapshot.gradients.push_back({name, parameter.gradient()});
  }
  snapshot.parameter_count = model.parameters().scalar_count();
  snapshot.is_table_tied =
      model.encoder().table().is_same_node(model.head().table());
  snapshot.stats = difference(execution.stats(), before);
  return snapshot;
}

std::vector<NamedTensor> named_tensors(const Snapshot& snapshot) {
  std::vector<NamedTensor> tensors{{"tiny.matrix", snapshot.tiny.matrix},
                                   {"tiny.sums", snapshot.tiny.sums},
                                   {"tiny.means", snapshot.tiny.means},
                                   {"logits", snapshot.logits},
                                   {"loss", snapshot.loss}};
  for (const auto& [name, gradient] : snapshot.gradients) {
    tensors.push_back({"gradient." + name, gradient});
  }
  return tensors;
}

DecoderInput random_input(std::size_t vocabulary, const Shape& shape,
                          nn::SplitMix64& generator) {
  if (vocabulary == 0) {
    throw ModelError("random_input: vocabulary must be positive: 0");
  }
  if (shape.rank() != 2) {
    throw ModelError("random_input: shape must be [batch, tokens]: " +
                     to_string(shape));
  }
  element_count(shape, "random_input");  // throws where it overflows
  DecoderInput input;
  input.shape = shape;
  const auto draw = [&] {
    return static_cast<TokenId>(generator.next() % vocabulary);
  };
  for (std::size_t row = 0; row < shape[0]; ++row) {
    TokenId token = draw();
    for (std::size_t position = 0; position < shape[1]; ++position) {
      input.tokens.push_back(token);
      token = draw();
      input.targets.push_back(token);
    }
  }
  return input;
}

DecoderFixture decoder_fixture() {
  DecoderFixture fixture;
  fixture.config.vocabulary = BytePairTokenizer::vocabulary_size(0);
  fixture.config.width = 4;
  fixture.config.heads = 1;
  fixture.config.feed_forward_width = 8;
  fixture.config.blocks = 2;
  fixture.config.position_capacity = 8;
  fixture.text = "ab";
  fixture.document = BytePairTokenizer().encode_document(fixture.text);
  fixture.input.tokens.assign(fixture.document.begin(),
                              fixture.document.end() - 1);
  fixture.input.targets.assign(fixture.document.begin() + 1,
                               fixture.document.end());
  fixture.input.shape = {1, fixture.input.tokens.size()};
  return fixture;
}

}  // namespace tandem::compare
