// SessionBlock: a decoder block that reads new tokens beside a cache of the old
// ones, without a graph.
#pragma once

#include <tandem/autograd/context.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/context.h>
#include <tandem/nn/decoder.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <string>
#include <vector>

#include "nn/key_value_cache.h"

namespace tandem::nn {

/// A product with a parameter, [rows, in] x [in, out].
struct SessionProduct {
  SessionProduct(const Decoder& decoder, const std::string& name,
                 const ExecutionContext& scope);

  Tensor operator()(const Tensor& x) const {
    return context.matmul(x, weight.view());
  }

  autograd::Parameter weight;
  ExecutionContext context;
};

/// rms_norm of [rows, width].
struct SessionNorm {
  SessionNorm(const Decoder& decoder, const std::string& name,
              const ExecutionContext& scope);

  Tensor operator()(const std::vector<double>& x) const;

  autograd::Parameter gain;
  double epsilon;
  autograd::Context context;
};

class SessionBlock {
 public:
  /// `scope` is the context of the whole decoder.
  SessionBlock(const Decoder& decoder, std::size_t block, std::size_t batch,
               std::size_t capacity, const ExecutionContext& scope);

  /// Replaces x [batch * tokens, width], whose tokens stand at positions from
  /// `first`, by the block's result.
  void read(std::vector<double>& x, std::size_t tokens, std::size_t first);

 private:
  SessionBlock(const Decoder& decoder, const std::string& name,
               std::size_t batch, std::size_t capacity,
               const ExecutionContext& scope);

  Tensor attend(const Tensor& h, std::size_t tokens, std::size_t first);
  Tensor attend_by_products(const Tensor& queries, std::size_t tokens,
                            std::size_t first) const;
  Tensor rotated(const Tensor& x, std::size_t tokens, std::size_t first) const;
  Tensor feed(const Tensor& h) const;

  DecoderConfig config_;
  std::size_t batch_;
  Tensor cosines_;
  Tensor sines_;
  SessionNorm attention_norm_;
  SessionProduct query_;
  SessionProduct key_;
  SessionProduct value_;
  ExecutionContext scores_;
  ExecutionContext mix_;
  SessionProduct output_;
  SessionNorm ffn_norm_;
  SessionProduct gate_;
  SessionProduct up_;
  SessionProduct down_;
  KeyValueCache cache_;
};

}  // namespace tandem::nn
