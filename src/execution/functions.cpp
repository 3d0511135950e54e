#include <tandem/execution/functions.h>

#include <array>
#include <utility>

#include "ops/shared_indices.h"

namespace tandem {
namespace {

Tensor unary(Elementwise function, const TensorView& x,
             const ExecutionContext& context) {
  const std::span<const TensorView> operands(&x, 1);
  return context.run(ElementwisePlan::make(function, operands), operands);
}

Tensor binary(Elementwise function, const TensorView& a, const TensorView& b,
              const ExecutionContext& context) {
  const std::array operands{a, b};
  return context.run(ElementwisePlan::make(function, operands), operands);
}

Tensor softmax_of(Softmax function, const TensorView& x, std::size_t axis,
                  const ExecutionContext& context) {
  return context.run(SoftmaxPlan::make(function, {x}, axis), {x});
}

}  // namespace

Tensor neg(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::negate, x, context);
}

Tensor abs(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::absolute, x, context);
}

Tensor exp(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::exp, x, context);
}

Tensor log(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::log, x, context);
}

Tensor sqrt(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::sqrt, x, context);
}

Tensor sin(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::sin, x, context);
}

Tensor cos(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::cos, x, context);
}

Tensor tanh(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::tanh, x, context);
}

Tensor sigmoid(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::sigmoid, x, context);
}

Tensor silu(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::silu, x, context);
}

Tensor relu(const TensorView& x, const ExecutionContext& context) {
  return unary(Elementwise::relu, x, context);
}

Tensor add(const TensorView& a, const TensorView& b,
           const ExecutionContext& context) {
  return binary(Elementwise::add, a, b, context);
}

Tensor sub(const TensorView& a, const TensorView& b,
           const ExecutionContext& context) {
  return binary(Elementwise::subtract, a, b, context);
}

Tensor mul(const TensorView& a, const TensorView& b,
           const ExecutionContext& context) {
  return binary(Elementwise::multiply, a, b, context);
}

Tensor div(const TensorView& a, const TensorView& b,
           const ExecutionContext& context) {
  return binary(Elementwise::divide, a, b, context);
}

Tensor pow(const TensorView& a, const TensorView& b,
           const ExecutionContext& context) {
  return binary(Elementwise::power, a, b, context);
}

Tensor minimum(const TensorView& a, const TensorView& b,
               const ExecutionContext& context) {
  return binary(Elementwise::minimum, a, b, context);
}

Tensor maximum(const TensorView& a, const TensorView& b,
               const ExecutionContext& context) {
  return binary(Elementwise::maximum, a, b, context);
}

Tensor where(const TensorView& condition, const TensorView& a,
             const TensorView& b, const ExecutionContext& context) {
  return context.run(
      ElementwisePlan::make(Elementwise::select, {condition, a, b}),
      {condition, a, b});
}

Tensor operator+(const TensorView& a, const TensorView& b) { return add(a, b); }

Tensor operator-(const TensorView& a, const TensorView& b) { return sub(a, b); }

Tensor operator*(const TensorView& a, const TensorView& b) { return mul(a, b); }

Tensor operator/(const TensorView& a, const TensorView& b) { return div(a, b); }

Tensor operator-(const TensorView& x) { return neg(x); }

Tensor matmul(const TensorView& left, const TensorView& right,
              const ExecutionContext& context) {
  return context.matmul(left, right);
}

Tensor matmul_with_transpose(const TensorView& left, const TensorView& right,
                             bool transpose_left, bool transpose_right,
                             const ExecutionContext& context) {
  return context.matmul_with_transpose(left, right, transpose_left,
                                       transpose_right);
}

Tensor sum_axis(const TensorView& x, std::size_t axis, bool keep_dim,
                const ExecutionContext& context) {
  return context.sum_axis(x, axis, keep_dim);
}

Tensor mean_axis(const TensorView& x, std::size_t axis, bool keep_dim,
                 const ExecutionContext& context) {
  return context.mean_axis(x, axis, keep_dim);
}

Tensor max_axis(const TensorView& x, std::size_t axis, bool keep_dim,
                const ExecutionContext& context) {
  return context.run(ReducePlan::make(Reduction::max, x, axis, keep_dim), {x});
}

Tensor sum_to(const TensorView& x, const Shape& shape,
              const ExecutionContext& context) {
  return context.run(SumToPlan::make(x, shape), {x});
}

Tensor softmax(const TensorView& x, std::size_t axis,
               const ExecutionContext& context) {
  return softmax_of(Softmax::softmax, x, axis, context);
}

Tensor log_softmax(const TensorView& x, std::size_t axis,
                   const ExecutionContext& context) {
  return softmax_of(Softmax::log_softmax, x, axis, context);
}

Tensor causal_softmax(const TensorView& scores,
                      const ExecutionContext& context) {
  // A scalar has no last axis; the plan says so.
  const std::size_t last = scores.rank() == 0 ? 0 : scores.rank() - 1;
  return softmax_of(Softmax::causal_softmax, scores, last, context);
}

Tensor tiled_attention(const TensorView& query, const TensorView& key,
                       const TensorView& value, const AttentionTiles& tiles,
                       const ExecutionContext& context) {
  const AttentionPlan plan =
      AttentionPlan::make(query, key, value, tiles.query_rows, tiles.key_rows);
  return plan.parts(context.run(plan, {query, key, value}))[0].materialize();
}

Tensor gather_rows(const TensorView& table,
                   const std::vector<std::size_t>& indices,
                   const Shape& index_shape, const ExecutionContext& context) {
  return context.run(GatherPlan::make(table, share(indices), index_shape),
                     {table});
}

Tensor rotary_pairs(const TensorView& x, const TensorView& cosines,
                    const TensorView& sines, std::size_t first_position,
                    const ExecutionContext& context) {
  return context.run(
      RotaryPlan::make(x, cosines, sines, Rotation::forward, first_position),
      {x, cosines, sines});
}

Tensor indexed_mean_nll(const TensorView& logits, std::size_t axis,
                        const std::vector<std::size_t>& targets,
                        const ExecutionContext& context) {
  return context.run(NllPlan::make(Nll::loss, {logits}, axis, share(targets)),
                     {logits});
}

Tensor concat(const std::vector<TensorView>& operands, std::size_t axis,
              const ExecutionContext& context) {
  return context.run(ConcatPlan::make(operands, axis), operands);
}

}  // namespace tandem
