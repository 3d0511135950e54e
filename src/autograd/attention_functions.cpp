// Tiled attention beside its reverse.
#include <tandem/autograd/function.h>
#include <tandem/autograd/functions.h>

#include <memory>
#include <optional>

namespace tandem::autograd {
namespace {

Contributions attention_reverse(const ReverseCall& call, const TensorView& logs,
                                const AttentionTiles& tiles) {
  const auto& in = call.operands;
  const AttentionPlan plan = AttentionPlan::make_reverse(
      in[0], in[1], in[2], call.output, logs, call.upstream, tiles.query_rows,
      tiles.key_rows);
  const Tensor result = call.execution.run(
      plan, {in[0], in[1], in[2], call.output, logs, call.upstream});
  const std::vector<TensorView> parts = plan.parts(result);
  return {parts.begin(), parts.end()};
}

}  // namespace

Variable tiled_attention(const Variable& query, const Variable& key,
                         const Variable& value, const AttentionTiles& tiles,
                         const Context& context) {
  // The rows' logarithms, which only the forward pass can give the reverse.
  const auto logs = std::make_shared<std::optional<TensorView>>();
  return apply(
      "tiled_attention", {query, key, value},
      [&](std::span<const TensorView> in, const ExecutionContext& execution) {
        const AttentionPlan plan = AttentionPlan::make(
            in[0], in[1], in[2], tiles.query_rows, tiles.key_rows);
        const auto parts = plan.parts(execution.run(plan, in));
        *logs = parts[1];
        return parts[0];
      },
      [logs, tiles](const ReverseCall& call) {
        return attention_reverse(call, **logs, tiles);
      },
      context);
}

}  // namespace tandem::autograd
