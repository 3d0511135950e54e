// One forward and backward of a decoder in libtorch, written as its users
// would: the peer of decoder_step.
#include <torch/torch.h>

#include <string>
#include <vector>

#include "decoder_sizes.h"
#include "step_timing.h"

namespace {

using torch::Tensor;

struct Block {
  Tensor attention_gain, query, key, value, output;
  Tensor ffn_gain, gate, up, down;
};

Tensor weight(std::int64_t rows, std::int64_t columns) {
  const double limit = std::sqrt(6.0 / static_cast<double>(rows + columns));
  return torch::empty({rows, columns}, torch::kDouble)
      .uniform_(-limit, limit)
      .requires_grad_();
}

Tensor gain(std::int64_t width) {
  return torch::ones({width}, torch::kDouble).requires_grad_();
}

class Model {
 public:
  explicit Model(const benchmark::DecoderSizes& sizes)
      : sizes_(sizes), table_(weight(sizes.vocabulary, sizes.width)) {
    const std::int64_t width = sizes.width;
    const std::int64_t hidden = sizes.feed_forward_width;
    for (std::int64_t b = 0; b < sizes.blocks; ++b) {
      blocks_.push_back({gain(width), weight(width, width),
                         weight(width, width), weight(width, width),
                         weight(width, width), gain(width),
                         weight(width, hidden), weight(width, hidden),
                         weight(hidden, width)});
    }
    final_gain_ = gain(width);
    const auto head_width = width / sizes.heads;
    const auto pairs = torch::arange(head_width / 2, torch::kDouble);
    const auto frequencies = torch::pow(10000.0, pairs * (-2.0 / head_width));
    const auto angles =
        torch::outer(torch::arange(sizes.tokens, torch::kDouble), frequencies);
    cosines_ = angles.cos();
    sines_ = angles.sin();
    mask_ = torch::ones({sizes.tokens, sizes.tokens}, torch::kBool).triu(1);
  }

  Tensor loss(const Tensor& ids, const Tensor& targets) const {
    Tensor x = torch::embedding(table_, ids);  // [batch, tokens, width]
    for (const Block& block : blocks_) {
      x = x + attention(norm(x, block.attention_gain), block);
      const Tensor h = norm(x, block.ffn_gain);
      x = x + (torch::silu(h.matmul(block.gate)) * h.matmul(block.up))
                  .matmul(block.down);
    }
    const Tensor logits = norm(x, final_gain_).matmul(table_.t());
    return torch::nn::functional::cross_entropy(
        logits.view({-1, sizes_.vocabulary}), targets.view({-1}));
  }

  void zero_grad() {
    const auto clear = [](Tensor& tensor) { tensor.mutable_grad().reset(); };
    clear(table_);
    clear(final_gain_);
    for (Block& b : blocks_) {
      for (Tensor* tensor : {&b.attention_gain, &b.query, &b.key, &b.value,
                             &b.output, &b.ffn_gain, &b.gate, &b.up, &b.down}) {
        clear(*tensor);
      }
    }
  }

 private:
  static Tensor norm(const Tensor& x, const Tensor& gain) {
    return x * torch::rsqrt(x.pow(2).mean(-1, true) + 1e-6) * gain;
  }

  Tensor rotate(const Tensor& x) const {
    const auto pairs = x.unflatten(-1, {-1, 2});
    const Tensor left = pairs.select(-1, 0);
    const Tensor right = pairs.select(-1, 1);
    return torch::stack({left * cosines_ - right * sines_,
                         left * sines_ + right * cosines_},
                        -1)
        .flatten(-2);
  }

  Tensor split(const Tensor& x) const {
    return x.view({sizes_.batch, sizes_.tokens, sizes_.heads, -1})
        .transpose(1, 2);
  }

  Tensor attention(const Tensor& h, const Block& block) const {
    const Tensor query = rotate(split(h.matmul(block.query)));
    const Tensor key = rotate(split(h.matmul(block.key)));
    const Tensor value = split(h.matmul(block.value));
    const double scale =
        1.0 / std::sqrt(static_cast<double>(sizes_.width / sizes_.heads));
    const Tensor scores = query.matmul(key.transpose(-2, -1)) * scale;
    const Tensor weights = scores.masked_fill(mask_, -INFINITY).softmax(-1);
    return weights.matmul(value)
        .transpose(1, 2)
        .reshape({sizes_.batch, sizes_.tokens, sizes_.width})
        .matmul(block.output);
  }

  benchmark::DecoderSizes sizes_;
  Tensor table_;
  std::vector<Block> blocks_;
  Tensor final_gain_;
  Tensor cosines_, sines_, mask_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto options = benchmark::parse_step_options(argc, argv);
  torch::set_num_threads(options.threads);
  torch::manual_seed(1);
  const auto& sizes = options.sizes;
  Model model(sizes);
  const auto ids = torch::randint(sizes.vocabulary, {sizes.batch, sizes.tokens},
                                  torch::kLong);
  const auto targets = torch::randint(
      sizes.vocabulary, {sizes.batch, sizes.tokens}, torch::kLong);
  benchmark::report("libtorch " TORCH_VERSION, options, [&] {
    model.zero_grad();
    model.loss(ids, targets).backward();
  });
}
