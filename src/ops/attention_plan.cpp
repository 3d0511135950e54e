#include <tandem/ops/attention_plan.h>
#include <tandem/tensor/error.h>

#include <string>

namespace tandem {
namespace {

constexpr const char* forward_name = "tiled_attention";
constexpr const char* reverse_name = "tiled_attention_reverse";

Shape leading(const Shape& shape) {
  return shape.without_axis(shape.rank() - 1).without_axis(shape.rank() - 2);
}

std::size_t from_end(const Shape& shape, std::size_t axis) {
  return shape[shape.rank() - axis];
}

bool broadcasts_to(const Shape& lanes, const Shape& target) {
  if (lanes.rank() > target.rank()) return false;
  const std::size_t missing = target.rank() - lanes.rank();
  for (std::size_t axis = 0; axis < lanes.rank(); ++axis) {
    if (lanes[axis] != 1 && lanes[axis] != target[missing + axis]) return false;
  }
  return true;
}

void check(const Shape& query, const Shape& key, const Shape& value) {
  const auto reject = [&](const char* why) {
    throw ShapeError(std::string(forward_name) + ": " + why + ": query is " +
                     to_string(query) + ", key " + to_string(key) + ", value " +
                     to_string(value));
  };
  if (query.rank() < 2 || key.rank() < 2 || value.rank() < 2) {
    reject("operands need at least two axes");
  }
  if (from_end(query, 1) != from_end(key, 1)) reject("widths differ");
  if (from_end(query, 2) != from_end(key, 2)) reject("queries and keys differ");
  if (from_end(key, 2) != from_end(value, 2)) reject("keys and values differ");
  if (!(leading(key) == leading(value)))
    reject("lanes of key and value differ");
  if (!broadcasts_to(leading(key), leading(query))) {
    reject("lanes of key do not broadcast to those of query");
  }
  if (from_end(query, 2) == 0) reject("needs at least one token");
  if (from_end(key, 1) == 0 || from_end(value, 1) == 0) reject("width is 0");
}

void check_tiles(std::size_t query_rows, std::size_t key_rows) {
  if (query_rows != 0 && key_rows != 0) return;
  throw ShapeError(std::string(forward_name) +
                   ": tiles must be positive: " + std::to_string(query_rows) +
                   " query rows, " + std::to_string(key_rows) + " key rows");
}

void check_same(const char* what, const Shape& given, const Shape& needed) {
  if (given == needed) return;
  throw ShapeError(std::string(reverse_name) + ": " + what +
                   " shape differs: given is " + to_string(given) +
                   ", needed is " + to_string(needed));
}

}  // namespace

AttentionPlan AttentionPlan::make(const TensorView& query,
                                  const TensorView& key,
                                  const TensorView& value,
                                  std::size_t query_rows,
                                  std::size_t key_rows) {
  check(query.shape(), key.shape(), value.shape());
  check_tiles(query_rows, key_rows);
  AttentionPlan plan;
  plan.operands_ = {Layout::of(query), Layout::of(key), Layout::of(value)};
  plan.query_rows_ = query_rows;
  plan.key_rows_ = key_rows;
  const std::size_t last = query.rank() - 1;
  plan.add_part(query.shape().with_extent(last, plan.value_width()));
  plan.add_part(query.shape().without_axis(last));
  return plan;
}

AttentionPlan AttentionPlan::make_reverse(
    const TensorView& query, const TensorView& key, const TensorView& value,
    const TensorView& output, const TensorView& logs,
    const TensorView& upstream, std::size_t query_rows, std::size_t key_rows) {
  const AttentionPlan forward = make(query, key, value, query_rows, key_rows);
  check_same("output", output.shape(), forward.part_shapes_[0]);
  check_same("logarithms", logs.shape(), forward.part_shapes_[1]);
  check_same("upstream gradient", upstream.shape(), forward.part_shapes_[0]);
  AttentionPlan plan;
  plan.function_ = Attention::reverse;
  plan.operands_ = forward.operands_;
  for (const TensorView* operand : {&output, &logs, &upstream}) {
    plan.operands_.push_back(Layout::of(*operand));
  }
  plan.query_rows_ = query_rows;
  plan.key_rows_ = key_rows;
  for (const TensorView* operand : {&query, &key, &value}) {
    plan.add_part(operand->shape());
  }
  return plan;
}

// Sizes are added without a check of their own: each part has an operand's
// size, or a smaller one, so that their sum is bounded by what memory holds.
void AttentionPlan::add_part(const Shape& shape) {
  part_shapes_.push_back(shape);
  output_size_ += element_count(shape, name());
  output_shape_ = Shape{output_size_};
}

const char* AttentionPlan::name() const {
  return function_ == Attention::forward ? forward_name : reverse_name;
}

std::vector<TensorView> AttentionPlan::parts(const Tensor& result) const {
  std::vector<TensorView> views;
  std::size_t begin = 0;
  for (const Shape& shape : part_shapes_) {
    const std::size_t end = begin + element_count(shape, name());
    views.push_back(result.view().slice(0, begin, end).reshape(shape));
    begin = end;
  }
  return views;
}

Shape AttentionPlan::lanes() const { return leading(operands_[0].shape); }
Shape AttentionPlan::key_lanes() const { return leading(operands_[1].shape); }
std::size_t AttentionPlan::tokens() const {
  return from_end(operands_[0].shape, 2);
}
std::size_t AttentionPlan::width() const {
  return from_end(operands_[0].shape, 1);
}
std::size_t AttentionPlan::value_width() const {
  return from_end(operands_[2].shape, 1);
}

}  // namespace tandem
