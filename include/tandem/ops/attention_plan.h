// AttentionPlan: causal attention worked tile by tile, so that no matrix of
// queries by keys is ever stored; and its reverse.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>
#include <tandem/tensor/tensor.h>

#include <cstddef>
#include <vector>

namespace tandem {

enum class Attention { forward, reverse };

/// Query i of each lane weighs values 0 to i by the softmax of its scaled
/// products with keys 0 to i. Tiles change rounding only, never the
/// mathematics. Sources: Milakov and Gimelshein, Online normalizer calculation
/// for softmax, 2018; Dao et al., FlashAttention, 2022.
///
/// An operation has one result; this one's holds several parts, one after
/// another.
class TANDEM_API AttentionPlan {
 public:
  /// query is [lanes..., tokens, width], key [key lanes..., tokens, width] and
  /// value [key lanes..., tokens, value width]; key lanes broadcast to lanes.
  /// Throws ShapeError unless that is so, every extent but those of lanes is
  /// positive, and so are the tiles.
  static AttentionPlan make(const TensorView& query, const TensorView& key,
                            const TensorView& value, std::size_t query_rows,
                            std::size_t key_rows);
  /// Takes, too, the two parts of the forward result and the upstream gradient
  /// of the first.
  static AttentionPlan make_reverse(
      const TensorView& query, const TensorView& key, const TensorView& value,
      const TensorView& output, const TensorView& logs,
      const TensorView& upstream, std::size_t query_rows, std::size_t key_rows);

  const char* name() const;
  Attention function() const { return function_; }
  const std::vector<Layout>& operands() const { return operands_; }
  std::size_t query_rows() const { return query_rows_; }
  std::size_t key_rows() const { return key_rows_; }

  /// [size]: all parts.
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

  /// Forward: the output [lanes..., tokens, value width] and, for the reverse,
  /// the logarithm of each row's sum of exponentials [lanes..., tokens].
  /// Reverse: the gradients of query, key and value.
  const std::vector<Shape>& part_shapes() const { return part_shapes_; }
  /// The parts of a result of this plan.
  std::vector<TensorView> parts(const Tensor& result) const;

  /// The leading axes of query, and of key and value.
  Shape lanes() const;
  Shape key_lanes() const;
  std::size_t tokens() const;
  std::size_t width() const;
  std::size_t value_width() const;

 private:
  AttentionPlan() = default;
  void add_part(const Shape& shape);

  Attention function_ = Attention::forward;
  std::vector<Layout> operands_;
  std::size_t query_rows_ = 1;
  std::size_t key_rows_ = 1;
  std::vector<Shape> part_shapes_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
