// Attention with any lengths, head groups, masks and past keys.
#include <cmath>
#include <limits>

#include "conformance/onnx/node.h"

namespace tandem::test::onnx {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

enum Input { query, key, value, mask, past_key, past_value };

// [batch, tokens, heads * width] -> [batch, heads, tokens, width]
Tensor split_heads(const Node& node, std::size_t input, const char* heads) {
  const Tensor x = node.input(input);
  if (x.rank() == 4) return x;
  const std::size_t count = axis_of(node.attribute(heads, std::int64_t{1}), 0);
  return x.reshape({x.shape()[0], x.shape()[1], count, x.shape()[2] / count})
      .view()
      .transpose(1, 2)
      .materialize();
}

Tensor join_heads(const Tensor& x) {
  const Shape& shape = x.shape();
  return reshaped(x.view().transpose(1, 2),
                  {shape[0], shape[2], shape[1] * shape[3]});
}

// Each head serves a group of query heads.
Tensor repeat_heads(const Tensor& x, std::size_t heads) {
  const Shape& shape = x.shape();
  if (shape[1] == heads) return x;
  const Shape repeated{shape[0], shape[1], heads / shape[1], shape[2],
                       shape[3]};
  return reshaped(x.view().unsqueeze(2).broadcast_to(repeated),
                  {shape[0], heads, shape[2], shape[3]});
}

// 0 where a query may see a key, minus infinity elsewhere.
Tensor causal_mask(std::size_t queries, std::size_t keys, std::size_t past) {
  std::vector<double> values(queries * keys, 0.0);
  for (std::size_t i = 0; i < queries; ++i) {
    for (std::size_t j = i + past + 1; j < keys; ++j) {
      values[i * keys + j] = minus_infinity;
    }
  }
  return Tensor({queries, keys}, values);
}

class Attention {
 public:
  explicit Attention(const Node& node) : node_(node), context_(node.context()) {
    node.takes_at_most(6);
    past_ = node.has(past_key) ? node.input_shape(past_key)[2] : 0;
  }

  Outputs run() {
    const Tensor q = split_heads(node_, query, "q_num_heads");
    const Tensor k = with_past(key, past_key);
    const Tensor v = with_past(value, past_value);
    const std::size_t heads = q.shape()[1];
    const Tensor weights = attend(q, repeat_heads(k, heads));
    Tensor y = matmul(weights, repeat_heads(v, heads), context_);
    if (node_.input_shape(query).rank() == 3) y = join_heads(y);
    Outputs outputs{y};
    if (past_ > 0) {
      outputs.push_back(k);
      outputs.push_back(v);
    }
    if (node_.outputs() > outputs.size()) outputs.push_back(inspected_);
    return outputs;
  }

 private:
  Tensor with_past(std::size_t input, std::size_t past) const {
    const Tensor now = split_heads(node_, input, "kv_num_heads");
    if (past_ == 0) return now;
    return concat({node_.input(past), now}, 2, context_);
  }

  // The softmax of the masked scores, [batch, heads, queries, keys].
  Tensor attend(const Tensor& q, const Tensor& k) {
    Tensor scores = matmul_with_transpose(scaled(q), k, false, true, context_);
    inspect(0, scores);
    scores = softcapped(scores);
    inspect(1, scores);
    scores = masked(scores);
    inspect(2, scores);
    const Tensor weights = softmax(scores, 3, context_);
    inspect(3, weights);
    return weights;
  }

  Tensor scaled(const Tensor& q) const {
    if (node_.has_attribute("scale")) {
      return mul(q, node_.attribute("scale", 0.0), context_);
    }
    const auto width = static_cast<double>(q.shape()[3]);
    return div(q, sqrt(TensorView(width), context_), context_);
  }

  Tensor softcapped(const Tensor& scores) const {
    const double cap = node_.attribute("softcap", 0.0);
    if (cap == 0.0) return scores;
    return mul(tanh(div(scores, cap, context_), context_), cap, context_);
  }

  Tensor masked(Tensor scores) const {
    if (node_.has(mask)) {
      Tensor added = node_.input(mask);
      if (node_.input_type(mask) == "bool") {
        added = where(added, 0.0, minus_infinity, context_);
      }
      scores = add(scores, added, context_);
    }
    if (node_.attribute("is_causal", std::int64_t{0}) != 0) {
      const Shape& shape = scores.shape();
      scores = add(scores, causal_mask(shape[2], shape[3], past_), context_);
    }
    return scores;
  }

  void inspect(std::int64_t mode, const Tensor& scores) {
    if (node_.attribute("qk_matmul_output_mode", std::int64_t{0}) == mode) {
      inspected_ = scores;
    }
  }

  const Node& node_;
  const ExecutionContext& context_;
  std::size_t past_ = 0;
  Tensor inspected_;
};

}  // namespace

std::optional<Outputs> run_attention(const Node& node) {
  if (node.op() != "Attention") return std::nullopt;
  return Attention(node).run();
}

}  // namespace tandem::test::onnx
