#include "nn/session_block.h"

#include <tandem/autograd/functions.h>

#include <algorithm>
#include <cmath>

#include "cpu/cached_attention.h"
#include "cpu/scalar_functions.h"
#include "cpu/softmax_row.h"
#include "tensor/storage_access.h"

namespace tandem::nn {
namespace ag = autograd;
namespace {

// Where the CPU rounds as its rules say, a cache can be read where it lies.
bool reads_in_place(const ExecutionContext& context) {
  return context.device() == Device{} &&
         context.matmul_precision() == MatmulPrecision::F64;
}

// The identity path is the left operand.
void add_to(std::vector<double>& x, const Tensor& y) {
  const double* from = y.values().data();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += from[i];
}

// From [batch * tokens, heads * width] to [lanes, group * tokens, width], a
// lane being one key/value head of one text; or back.
template <class Move>
void for_each_head(const DecoderConfig& config, std::size_t batch,
                   std::size_t tokens, Move move) {
  const std::size_t group = config.heads / config.key_value_heads;
  for (std::size_t row = 0; row < batch * tokens; ++row) {
    for (std::size_t head = 0; head < config.heads; ++head) {
      const std::size_t lane =
          row / tokens * config.key_value_heads + head / group;
      const std::size_t within = head % group * tokens + row % tokens;
      move((row * config.heads + head) * config.head_width,
           (lane * group * tokens + within) * config.head_width);
    }
  }
}

// Rows [rows, keys] of scores, the query of row r at position
// first + r % tokens, to weights: later keys get 0.
Tensor weights_of(const Tensor& scores, std::size_t tokens, std::size_t first,
                  double scale) {
  TensorBuilder weights(scores.shape(), "session");
  const std::size_t keys = scores.shape()[2];
  const double* const from = scores.values().data();
  for (std::size_t at = 0; at < scores.size(); at += keys) {
    double* const row = weights.values() + at;
    const std::size_t seen = first + at / keys % tokens + 1;
    for (std::size_t i = 0; i < seen; ++i) {
      row[i] = from[at + i] * scale;
    }
    cpu::softmax_row({row, 1}, {row, 1}, seen);
    std::fill(row + seen, row + keys, 0.0);
  }
  return weights.finish();
}

}  // namespace

SessionProduct::SessionProduct(const Decoder& decoder, const std::string& name,
                               const ExecutionContext& scope)
    : weight(decoder.parameters().at(name + ".weight")),
      context(scope.scoped(name.substr(name.rfind('.') + 1))) {}

SessionNorm::SessionNorm(const Decoder& decoder, const std::string& name,
                         const ExecutionContext& scope)
    : gain(decoder.parameters().at(name + ".gain")),
      epsilon(decoder.config().rms_epsilon),
      context(ag::Context::no_grad().with_execution(
          scope.scoped(name.substr(name.rfind('.') + 1)))) {}

Tensor SessionNorm::operator()(const std::vector<double>& x) const {
  const std::size_t width = gain.shape()[0];
  const Tensor rows = Tensor::copy_of({x.size() / width, width}, x);
  return ag::rms_norm(ag::constant(rows), gain, epsilon, context).value();
}

SessionBlock::SessionBlock(const Decoder& decoder, std::size_t block,
                           std::size_t batch, std::size_t capacity,
                           const ExecutionContext& scope)
    : SessionBlock(decoder, "blocks." + std::to_string(block), batch, capacity,
                   scope.scoped("blocks." + std::to_string(block))) {}

SessionBlock::SessionBlock(const Decoder& decoder, const std::string& name,
                           std::size_t batch, std::size_t capacity,
                           const ExecutionContext& scope)
    : config_(decoder.config()),
      batch_(batch),
      cosines_(decoder.backbone().rotary().cosines()),
      sines_(decoder.backbone().rotary().sines()),
      attention_norm_(decoder, name + ".attention_norm", scope),
      query_(decoder, name + ".attention.query", scope.scoped("attention")),
      key_(decoder, name + ".attention.key", scope.scoped("attention")),
      value_(decoder, name + ".attention.value", scope.scoped("attention")),
      scores_(scope.scoped("attention").scoped("scores")),
      mix_(scope.scoped("attention").scoped("mix")),
      output_(decoder, name + ".attention.output", scope.scoped("attention")),
      ffn_norm_(decoder, name + ".ffn_norm", scope),
      gate_(decoder, name + ".ffn.gate", scope.scoped("ffn")),
      up_(decoder, name + ".ffn.up", scope.scoped("ffn")),
      down_(decoder, name + ".ffn.down", scope.scoped("ffn")),
      cache_(decoder.config(), batch, capacity) {}

void SessionBlock::read(std::vector<double>& x, std::size_t tokens,
                        std::size_t first) {
  add_to(x, output_(attend(attention_norm_(x), tokens, first)));
  add_to(x, down_(feed(ffn_norm_(x))));
}

// [batch * tokens, width] -> [batch * tokens, heads * head width]
Tensor SessionBlock::attend(const Tensor& h, std::size_t tokens,
                            std::size_t first) {
  const Tensor queries = rotated(query_(h), tokens, first);
  const Tensor keys = rotated(key_(h), tokens, first);
  const Tensor values = value_(h);
  cache_.put(keys.values().data(), values.values().data(), tokens, first);
  if (!reads_in_place(scores_)) {
    return attend_by_products(queries, tokens, first);
  }
  TensorBuilder mixed(queries.shape(), "session");
  cache_.attend(queries.values().data(), tokens, first, mixed.values());
  return mixed.finish();
}

// The same where products run elsewhere, or in another precision: they take
// tensors, so the cache is copied.
Tensor SessionBlock::attend_by_products(const Tensor& queries,
                                        std::size_t tokens,
                                        std::size_t first) const {
  const std::size_t width = config_.head_width;
  const std::size_t lanes = batch_ * config_.key_value_heads;
  TensorBuilder laned(Shape{lanes, queries.size() / width / lanes, width},
                      "session");
  for_each_head(config_, batch_, tokens, [&](std::size_t row, std::size_t at) {
    std::copy_n(queries.values().data() + row, width, laned.values() + at);
  });
  const Tensor scores = scores_.matmul_with_transpose(
      laned.finish(), cache_.keys(first + tokens), false, true);
  const Tensor weights = weights_of(
      scores, tokens, first, 1.0 / std::sqrt(static_cast<double>(width)));
  const Tensor mixed = mix_.matmul_with_transpose(
      weights, cache_.transposed_values(first + tokens), false, true);
  TensorBuilder joined(queries.shape(), "session");
  for_each_head(config_, batch_, tokens, [&](std::size_t row, std::size_t at) {
    std::copy_n(mixed.values().data() + at, width, joined.values() + row);
  });
  return joined.finish();
}

Tensor SessionBlock::rotated(const Tensor& x, std::size_t tokens,
                             std::size_t first) const {
  const std::size_t pairs = config_.head_width / 2;
  const std::size_t row_pairs = x.shape()[1] / 2;
  TensorBuilder result(x.shape(), "session");
  for (std::size_t row = 0; row < x.shape()[0]; ++row) {
    const std::size_t table = (first + row % tokens) * pairs;
    const double* const cosines = cosines_.values().data() + table;
    const double* const sines = sines_.values().data() + table;
    const double* const from = x.values().data() + 2 * row * row_pairs;
    double* const to = result.values() + 2 * row * row_pairs;
    for (std::size_t pair = 0; pair < row_pairs; ++pair) {
      const double c = cosines[pair % pairs];
      const double s = sines[pair % pairs];
      const double left = from[2 * pair];
      const double right = from[2 * pair + 1];
      to[2 * pair] = cpu::positive_zero(left * c - right * s);
      to[2 * pair + 1] = cpu::positive_zero(left * s + right * c);
    }
  }
  return result.finish();
}

// silu(h gate) * (h up)
Tensor SessionBlock::feed(const Tensor& h) const {
  const Tensor gate = gate_(h);
  const Tensor up = up_(h);
  const double* const g = gate.values().data();
  const double* const u = up.values().data();
  TensorBuilder product(gate.shape(), "session");
  for (std::size_t i = 0; i < gate.size(); ++i) {
    product.values()[i] = cpu::silu(g[i]) * u[i];
  }
  return product.finish();
}

}  // namespace tandem::nn
