// The functions of tensors. Each takes views and, last, the context to run in.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/export.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <cstddef>
#include <vector>

namespace tandem {

// Element by element; two operands broadcast. See ElementwisePlan.
TANDEM_API Tensor neg(const TensorView& x,
                      const ExecutionContext& context = {});
TANDEM_API Tensor abs(const TensorView& x,
                      const ExecutionContext& context = {});
TANDEM_API Tensor exp(const TensorView& x,
                      const ExecutionContext& context = {});
TANDEM_API Tensor log(const TensorView& x,
                      const ExecutionContext& context = {});
TANDEM_API Tensor sqrt(const TensorView& x,
                       const ExecutionContext& context = {});
TANDEM_API Tensor sin(const TensorView& x,
                      const ExecutionContext& context = {});
TANDEM_API Tensor cos(const TensorView& x,
                      const ExecutionContext& context = {});
TANDEM_API Tensor tanh(const TensorView& x,
                       const ExecutionContext& context = {});
TANDEM_API Tensor sigmoid(const TensorView& x,
                          const ExecutionContext& context = {});
TANDEM_API Tensor silu(const TensorView& x,
                       const ExecutionContext& context = {});
TANDEM_API Tensor relu(const TensorView& x,
                       const ExecutionContext& context = {});
TANDEM_API Tensor add(const TensorView& a, const TensorView& b,
                      const ExecutionContext& context = {});
TANDEM_API Tensor sub(const TensorView& a, const TensorView& b,
                      const ExecutionContext& context = {});
TANDEM_API Tensor mul(const TensorView& a, const TensorView& b,
                      const ExecutionContext& context = {});
TANDEM_API Tensor div(const TensorView& a, const TensorView& b,
                      const ExecutionContext& context = {});
TANDEM_API Tensor pow(const TensorView& a, const TensorView& b,
                      const ExecutionContext& context = {});
TANDEM_API Tensor minimum(const TensorView& a, const TensorView& b,
                          const ExecutionContext& context = {});
TANDEM_API Tensor maximum(const TensorView& a, const TensorView& b,
                          const ExecutionContext& context = {});
/// condition != 0 ? a : b
TANDEM_API Tensor where(const TensorView& condition, const TensorView& a,
                        const TensorView& b,
                        const ExecutionContext& context = {});

TANDEM_API Tensor operator+(const TensorView& a, const TensorView& b);
TANDEM_API Tensor operator-(const TensorView& a, const TensorView& b);
TANDEM_API Tensor operator*(const TensorView& a, const TensorView& b);
TANDEM_API Tensor operator/(const TensorView& a, const TensorView& b);
TANDEM_API Tensor operator-(const TensorView& x);

// Products and reductions. See MatmulPlan and ReducePlan.
TANDEM_API Tensor matmul(const TensorView& left, const TensorView& right,
                         const ExecutionContext& context = {});
TANDEM_API Tensor matmul_with_transpose(const TensorView& left,
                                        const TensorView& right,
                                        bool transpose_left,
                                        bool transpose_right,
                                        const ExecutionContext& context = {});
TANDEM_API Tensor sum_axis(const TensorView& x, std::size_t axis,
                           bool keep_dim = false,
                           const ExecutionContext& context = {});
TANDEM_API Tensor mean_axis(const TensorView& x, std::size_t axis,
                            bool keep_dim = false,
                            const ExecutionContext& context = {});
TANDEM_API Tensor max_axis(const TensorView& x, std::size_t axis,
                           bool keep_dim = false,
                           const ExecutionContext& context = {});
/// Adds up, in row-major order, what broadcasting `shape` to x's would repeat.
TANDEM_API Tensor sum_to(const TensorView& x, const Shape& shape,
                         const ExecutionContext& context = {});

// Rows along an axis. A row of nothing but minus infinity, that is one whose
// every entry is masked, has the softmax 0. See SoftmaxPlan.
TANDEM_API Tensor softmax(const TensorView& x, std::size_t axis,
                          const ExecutionContext& context = {});
TANDEM_API Tensor log_softmax(const TensorView& x, std::size_t axis,
                              const ExecutionContext& context = {});
/// scores [..., queries, keys]: query i sees keys 0 to i.
TANDEM_API Tensor causal_softmax(const TensorView& scores,
                                 const ExecutionContext& context = {});

/// query [lanes..., tokens, width], key and value [key lanes..., tokens, ...]
/// -> [lanes..., tokens, value width]. See AttentionPlan.
TANDEM_API Tensor tiled_attention(const TensorView& query,
                                  const TensorView& key,
                                  const TensorView& value,
                                  const AttentionTiles& tiles,
                                  const ExecutionContext& context = {});

/// table [rows, width], one index per element of index_shape ->
/// [index_shape..., width]
TANDEM_API Tensor gather_rows(const TensorView& table,
                              const std::vector<std::size_t>& indices,
                              const Shape& index_shape,
                              const ExecutionContext& context = {});
/// x [..., tokens, width], tables [capacity, width/2]. See RotaryPlan.
TANDEM_API Tensor rotary_pairs(const TensorView& x, const TensorView& cosines,
                               const TensorView& sines,
                               std::size_t first_position = 0,
                               const ExecutionContext& context = {});
/// Rank 0, in nats; classes along `axis`. Throws NonfiniteError where a logit
/// is not finite. See NllPlan.
TANDEM_API Tensor indexed_mean_nll(const TensorView& logits, std::size_t axis,
                                   const std::vector<std::size_t>& targets,
                                   const ExecutionContext& context = {});
/// The operands one after another along `axis`.
TANDEM_API Tensor concat(const std::vector<TensorView>& operands,
                         std::size_t axis,
                         const ExecutionContext& context = {});

}  // namespace tandem
