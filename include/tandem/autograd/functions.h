// The differentiable functions. Each means what the function of the same name
// means for tensors, and its reverse stands beside it in the source.
#pragma once

#include <tandem/autograd/context.h>
#include <tandem/autograd/variable.h>
#include <tandem/export.h>

#include <cstddef>
#include <vector>

namespace tandem::autograd {

// Element by element; two operands broadcast.
TANDEM_API Variable add(const Variable& a, const Variable& b,
                        const Context& context = {});
TANDEM_API Variable sub(const Variable& a, const Variable& b,
                        const Context& context = {});
TANDEM_API Variable mul(const Variable& a, const Variable& b,
                        const Context& context = {});
TANDEM_API Variable div(const Variable& a, const Variable& b,
                        const Context& context = {});
TANDEM_API Variable neg(const Variable& x, const Context& context = {});
TANDEM_API Variable exp(const Variable& x, const Context& context = {});
TANDEM_API Variable log(const Variable& x, const Context& context = {});
TANDEM_API Variable sqrt(const Variable& x, const Context& context = {});
TANDEM_API Variable tanh(const Variable& x, const Context& context = {});
TANDEM_API Variable sigmoid(const Variable& x, const Context& context = {});
TANDEM_API Variable silu(const Variable& x, const Context& context = {});
TANDEM_API Variable relu(const Variable& x, const Context& context = {});

TANDEM_API Variable operator+(const Variable& a, const Variable& b);
TANDEM_API Variable operator-(const Variable& a, const Variable& b);
TANDEM_API Variable operator*(const Variable& a, const Variable& b);
TANDEM_API Variable operator/(const Variable& a, const Variable& b);
TANDEM_API Variable operator-(const Variable& x);

// The same values under another shape or order of axes.
TANDEM_API Variable reshape(const Variable& x, const Shape& shape,
                            const Context& context = {});
TANDEM_API Variable transpose(const Variable& x, std::size_t a, std::size_t b,
                              const Context& context = {});
TANDEM_API Variable permute(const Variable& x,
                            const std::vector<std::size_t>& axes,
                            const Context& context = {});
TANDEM_API Variable broadcast_to(const Variable& x, const Shape& shape,
                                 const Context& context = {});
/// Indices start to end - 1 along `axis`.
TANDEM_API Variable slice(const Variable& x, std::size_t axis,
                          std::size_t start, std::size_t end,
                          const Context& context = {});
TANDEM_API Variable concat(const std::vector<Variable>& operands,
                           std::size_t axis, const Context& context = {});

// Products and reductions run in the context's execution, and their reverse
// products in the execution given to backward().
TANDEM_API Variable matmul(const Variable& left, const Variable& right,
                           const Context& context = {});
TANDEM_API Variable matmul_with_transpose(const Variable& left,
                                          const Variable& right,
                                          bool transpose_left,
                                          bool transpose_right,
                                          const Context& context = {});
TANDEM_API Variable sum_axis(const Variable& x, std::size_t axis,
                             bool keep_dim = false,
                             const Context& context = {});
TANDEM_API Variable mean_axis(const Variable& x, std::size_t axis,
                              bool keep_dim = false,
                              const Context& context = {});
/// Of all elements, in row-major order; rank 0.
TANDEM_API Variable sum(const Variable& x, const Context& context = {});
TANDEM_API Variable mean(const Variable& x, const Context& context = {});

TANDEM_API Variable softmax(const Variable& x, std::size_t axis,
                            const Context& context = {});
TANDEM_API Variable log_softmax(const Variable& x, std::size_t axis,
                                const Context& context = {});
TANDEM_API Variable causal_softmax(const Variable& scores,
                                   const Context& context = {});
/// causal_softmax(mul(scores, scale)) in one walk. Throws ModelError where the
/// scale is not in (0, 1]: a larger one could lose a score to infinity.
TANDEM_API Variable scaled_causal_softmax(const Variable& scores, double scale,
                                          const Context& context = {});

/// Causal attention by tiles, which stores no matrix of queries by keys; see
/// AttentionPlan. It computes in f64, on the CPU.
TANDEM_API Variable tiled_attention(const Variable& query, const Variable& key,
                                    const Variable& value,
                                    const AttentionTiles& tiles,
                                    const Context& context = {});

/// (x inverse) gain with inverse = exp(log(mean(x x) + epsilon) (-0.5)) over
/// the last axis; gain is [width]. Throws ModelError where a row's mean square
/// and epsilon are both 0, NonfiniteError where a mean square overflows.
TANDEM_API Variable rms_norm(const Variable& x, const Variable& gain,
                             double epsilon, const Context& context = {});

/// silu(gate) * up, of one shape, in one walk. Source: Shazeer, GLU Variants
/// Improve Transformer, 2020.
TANDEM_API Variable swiglu(const Variable& gate, const Variable& up,
                           const Context& context = {});

/// Indices are selectors: no derivative flows to them.
TANDEM_API Variable gather_rows(const Variable& table,
                                const std::vector<std::size_t>& indices,
                                const Shape& index_shape,
                                const Context& context = {});
/// The tables take no derivative.
TANDEM_API Variable rotary_pairs(const Variable& x, const Tensor& cosines,
                                 const Tensor& sines,
                                 std::size_t first_position = 0,
                                 const Context& context = {});
TANDEM_API Variable indexed_mean_nll(const Variable& logits, std::size_t axis,
                                     const std::vector<std::size_t>& targets,
                                     const Context& context = {});

}  // namespace tandem::autograd
