#include <tandem/ops/gather_plan.h>
#include <tandem/tensor/error.h>

#include <string>
#include <utility>

namespace tandem {
namespace {

void check_indices(const std::vector<std::size_t>& indices, std::size_t rows,
                   const char* operation) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= rows) {
      throw ShapeError(std::string(operation) +
                       ": index out of range: position " + std::to_string(i) +
                       " asks for row " + std::to_string(indices[i]) + " of " +
                       std::to_string(rows));
    }
  }
}

}  // namespace

GatherPlan GatherPlan::make(const TensorView& table, Indices indices,
                            const Shape& index_shape) {
  if (table.rank() != 2) {
    throw ShapeError("gather_rows: table needs two axes: table is " +
                     to_string(table.shape()));
  }
  if (element_count(index_shape, "gather_rows") != indices->size()) {
    throw ShapeError("gather_rows: index count differs from shape: shape " +
                     to_string(index_shape) + ", given are " +
                     std::to_string(indices->size()));
  }
  check_indices(*indices, table.shape()[0], "gather_rows");
  GatherPlan plan;
  plan.operands_ = {Layout::of(table)};
  plan.indices_ = std::move(indices);
  plan.output_shape_ =
      index_shape.with_axis(index_shape.rank(), table.shape()[1]);
  row_major_strides(plan.output_shape_, "gather_rows");
  plan.output_size_ = element_count(plan.output_shape_, "gather_rows");
  return plan;
}

ScatterPlan ScatterPlan::make(const TensorView& rows, Indices indices,
                              std::size_t table_rows) {
  if (rows.rank() == 0) {
    throw ShapeError("scatter_add_rows: rows need an axis: shape is []");
  }
  const std::size_t last = rows.rank() - 1;
  const Shape index_shape = rows.shape().without_axis(last);
  if (element_count(index_shape, "scatter_add_rows") != indices->size()) {
    throw ShapeError("scatter_add_rows: index count differs from rows: rows " +
                     to_string(rows.shape()) + ", given are " +
                     std::to_string(indices->size()));
  }
  check_indices(*indices, table_rows, "scatter_add_rows");
  ScatterPlan plan;
  plan.operands_ = {Layout::of(rows)};
  plan.indices_ = std::move(indices);
  plan.output_shape_ = Shape{table_rows, rows.shape()[last]};
  plan.output_size_ = element_count(plan.output_shape_, "scatter_add_rows");
  return plan;
}

}  // namespace tandem
