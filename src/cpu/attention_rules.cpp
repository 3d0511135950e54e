// Tiled attention over all lanes.
#include <algorithm>
#include <vector>

#include "cpu/loop_nest.h"
#include "cpu/rules.h"
#include "cpu/thread_pool.h"
#include "cpu/tiled_attention.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

// Where each lane of a view begins, row-major over `lanes`, to which the
// view's own leading axes broadcast.
std::vector<std::ptrdiff_t> lane_offsets(const Layout& layout,
                                         const Shape& lanes,
                                         std::size_t matrix_axes) {
  Layout leading = layout;
  for (std::size_t i = 0; i < matrix_axes; ++i) {
    const std::size_t last = leading.shape.rank() - 1;
    leading.shape = leading.shape.without_axis(last);
    leading.strides.erase(last);
  }
  const Strides strides = broadcast_strides(leading, lanes);
  std::vector<std::ptrdiff_t> offsets;
  const LoopNest<1> nest(lanes, {&strides});
  nest.run([&](auto at, std::size_t count, const auto& steps) {
    for (std::size_t i = 0; i < count; ++i, at[0] += steps[0]) {
      offsets.push_back(at[0]);
    }
  });
  return offsets;
}

// The matrices of an operand, one for each lane.
class Lanes {
 public:
  Lanes(const TensorView& view, const Shape& lanes)
      : origin_(StorageAccess::origin(view)),
        row_stride_(view.strides()[view.rank() - 2]),
        column_stride_(view.strides()[view.rank() - 1]),
        offsets_(lane_offsets(Layout::of(view), lanes, 2)) {}

  std::size_t count() const { return offsets_.size(); }
  Matrix<double> operator[](std::size_t lane) const {
    return {origin_ + offsets_[lane], row_stride_, column_stride_};
  }

 private:
  const double* origin_;
  std::ptrdiff_t row_stride_;
  std::ptrdiff_t column_stride_;
  std::vector<std::ptrdiff_t> offsets_;
};

struct Sides {
  Sides(const AttentionPlan& plan, Operands operands)
      : plan_(plan),
        query_(operands[0], plan.lanes()),
        key_(operands[1], plan.lanes()),
        value_(operands[2], plan.lanes()) {}

  std::size_t count() const { return query_.count(); }
  AttentionLane operator[](std::size_t lane) const {
    return {plan_.tokens(), plan_.width(), plan_.value_width(),
            query_[lane],   key_[lane],    value_[lane]};
  }

 private:
  const AttentionPlan& plan_;
  Lanes query_;
  Lanes key_;
  Lanes value_;
};

Tensor apply_forward(const AttentionPlan& plan, Operands operands,
                     unsigned threads) {
  const Sides sides(plan, operands);
  const std::size_t tokens = plan.tokens();
  const std::size_t rows = std::min(plan.query_rows(), tokens);
  const std::size_t tiles = (tokens + rows - 1) / rows;
  TensorBuilder builder(plan.output_shape());
  double* output = builder.values();
  double* logs = output + sides.count() * tokens * plan.value_width();
  parallel_for(sides.count() * tiles, threads, [&](std::size_t task) {
    const std::size_t lane = task / tiles;
    const std::size_t first = task % tiles * rows;
    attend(sides[lane], first, std::min(first + rows, tokens), plan.key_rows(),
           output + lane * tokens * plan.value_width(), logs + lane * tokens,
           lane * tokens);
  });
  return builder.finish();
}

// For each key lane, the lanes that share it, ascending.
std::vector<std::vector<std::size_t>> sharing_lanes(const AttentionPlan& plan) {
  const Shape key_lanes = plan.key_lanes();
  const Layout numbered{key_lanes,
                        row_major_strides(key_lanes, "tiled_attention")};
  const auto key_lane_of = lane_offsets(numbered, plan.lanes(), 0);
  std::vector<std::vector<std::size_t>> sharing(
      element_count(key_lanes, "tiled_attention"));
  for (std::size_t lane = 0; lane < key_lane_of.size(); ++lane) {
    sharing[static_cast<std::size_t>(key_lane_of[lane])].push_back(lane);
  }
  return sharing;
}

Tensor apply_reverse(const AttentionPlan& plan, Operands operands,
                     unsigned threads) {
  const Sides sides(plan, operands);
  const Lanes outputs(operands[3], plan.lanes());
  const Lanes logs(operands[4].unsqueeze(operands[4].rank()), plan.lanes());
  const Lanes upstream(operands[5], plan.lanes());
  const auto sharing = sharing_lanes(plan);
  const std::size_t query_size = plan.tokens() * plan.width();
  const std::size_t value_size = plan.tokens() * plan.value_width();
  TensorBuilder builder(plan.output_shape());
  std::fill_n(builder.values(), builder.size(), 0.0);
  double* query = builder.values();
  double* key = query + sides.count() * query_size;
  double* value = key + sharing.size() * query_size;
  // A key lane is one task, so that its sum has one order.
  parallel_for(sharing.size(), threads, [&](std::size_t key_lane) {
    for (const std::size_t lane : sharing[key_lane]) {
      attend_reverse(sides[lane], {outputs[lane], logs[lane], upstream[lane]},
                     plan.query_rows(), plan.key_rows(),
                     {query + lane * query_size, key + key_lane * query_size,
                      value + key_lane * value_size});
    }
  });
  return builder.finish();
}

}  // namespace

Tensor apply(const AttentionPlan& plan, Operands operands,
             const Choice& choice) {
  const auto threads = static_cast<unsigned>(choice.threads);
  return plan.function() == Attention::forward
             ? apply_forward(plan, operands, threads)
             : apply_reverse(plan, operands, threads);
}

}  // namespace tandem::cpu
