// GatherPlan and ScatterPlan: rows of a table picked by index, and the reverse.
#pragma once

#include <tandem/export.h>
#include <tandem/ops/layout.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace tandem {

using Indices = std::shared_ptr<const std::vector<std::size_t>>;

/// output[i..., :] = table[indices[i...], :]
class TANDEM_API GatherPlan {
 public:
  /// Throws ShapeError unless, in this order: the table is [rows, width]; the
  /// count of indices is that of index_shape; each index is below rows.
  static GatherPlan make(const TensorView& table, Indices indices,
                         const Shape& index_shape);

  const char* name() const { return "gather_rows"; }
  const std::array<Layout, 1>& operands() const { return operands_; }
  const std::vector<std::size_t>& indices() const { return *indices_; }

  /// [index_shape..., width]
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

 private:
  GatherPlan() = default;

  std::array<Layout, 1> operands_;
  Indices indices_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

/// output[indices[i...], :] += rows[i..., :], in ascending i, from zeros.
class TANDEM_API ScatterPlan {
 public:
  /// Throws ShapeError unless rows is [..., width] with one row per index and
  /// each index is below table_rows.
  static ScatterPlan make(const TensorView& rows, Indices indices,
                          std::size_t table_rows);

  const char* name() const { return "scatter_add_rows"; }
  const std::array<Layout, 1>& operands() const { return operands_; }
  const std::vector<std::size_t>& indices() const { return *indices_; }

  /// [table_rows, width]
  const Shape& output_shape() const { return output_shape_; }
  std::size_t output_size() const { return output_size_; }

 private:
  ScatterPlan() = default;

  std::array<Layout, 1> operands_;
  Indices indices_;
  Shape output_shape_;
  std::size_t output_size_ = 0;
};

}  // namespace tandem
