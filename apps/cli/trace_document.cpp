#include "trace_document.h"

#include <tandem/execution/context.h>
#include <tandem/ops/matmul_plan.h>

#include <functional>
#include <vector>

#include "command.h"
#include "cuda/gemm_arguments.h"
#include "cuda/plan_operands.h"
#include "json.h"

namespace tandem::cli {
namespace {

using cuda::Product;
using cuda::StridedSource;

constexpr std::size_t terms_of_a_page = 20000;
constexpr std::size_t elements_of_an_operand = 5000;

std::vector<double> packed_by(const StridedSource& source, std::size_t count) {
  std::vector<double> values(count);
  source.pack(0, count, values.data());
  return values;
}

// Where each packed element lies in storage: the packing code itself is given a
// storage whose every element is its own place.
using SourceAt = std::function<StridedSource(const double* origin)>;

Json packed_json(const TraceOperand& operand, const SourceAt& source,
                 std::size_t count) {
  const auto storage = operand.base.values();
  std::vector<double> places(storage.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<double>(i);
  }
  const std::size_t offset = operand.view.offset();
  Json values = Json::array();
  for (const double v : packed_by(source(storage.data() + offset), count)) {
    values.push_back(number(v));
  }
  Json from = Json::array();
  for (const double place : packed_by(source(places.data() + offset), count)) {
    from.push_back(static_cast<std::size_t>(place));
  }
  return {{"values", std::move(values)}, {"storage_places", std::move(from)}};
}

Json operand_json(const TraceOperand& operand, Json packed) {
  return {
      {"name", operand.name},
      {"shape", shape(operand.view.shape())},
      {"strides", std::vector<std::ptrdiff_t>(operand.view.strides().begin(),
                                              operand.view.strides().end())},
      {"offset", operand.view.offset()},
      {"storage", tensor(operand.base)["values"]},
      {"packed", std::move(packed)}};
}

Json product_json(const Product& product) {
  return {{"batch", product.batch},
          {"rows", product.rows},
          {"columns", product.columns},
          {"inner", product.inner},
          {"alpha", number(product.alpha)}};
}

Json gemm_json(const Product& product) {
  const auto arguments = cuda::gemm_arguments(product);
  return {{"m", arguments.m},
          {"n", arguments.n},
          {"k", arguments.k},
          {"alpha", number(arguments.alpha)},
          {"lda", arguments.lda},
          {"stride_a", arguments.stride_a},
          {"ldb", arguments.ldb},
          {"stride_b", arguments.stride_b},
          {"beta", number(arguments.beta)},
          {"ldc", arguments.ldc},
          {"stride_c", arguments.stride_c},
          {"batch_count", arguments.batch_count}};
}

void check_size(const Product& product, std::size_t output_size,
                std::initializer_list<const TraceOperand*> operands) {
  const auto reject = [](const std::string& what) {
    throw UsageError("trace: " + what);
  };
  if (output_size == 0 || product.inner == 0) {
    reject("nothing is multiplied, so there is nothing to follow");
  }
  for (const TraceOperand* operand : operands) {
    if (operand->base.size() > elements_of_an_operand) {
      reject("too large to show: " + operand->name + " has " +
             std::to_string(operand->base.size()) + " elements; at most " +
             std::to_string(elements_of_an_operand));
    }
  }
  if (output_size > terms_of_a_page / product.inner) {
    reject("too large to show: more than " + std::to_string(terms_of_a_page) +
           " products");
  }
}

// The results over the first 1, 2, ... factors alone, as the library adds them.
std::vector<Tensor> partial_results(
    std::size_t inner, const std::function<Tensor(std::size_t)>& over_first) {
  std::vector<Tensor> results;
  for (std::size_t k = 1; k <= inner; ++k) results.push_back(over_first(k));
  return results;
}

// One entry a cell, in flat order. Factors are named by their packed places.
Json cells_json(const Product& product, const std::vector<double>& left,
                const std::vector<double>& right,
                const std::vector<Tensor>& partials) {
  Json cells = Json::array();
  const std::size_t count = product.batch * product.rows * product.columns;
  for (std::size_t q = 0; q < count; ++q) {
    const std::size_t row = q / product.columns;  // of all batches
    const std::size_t batch = row / product.rows;
    Json cell{{"left", Json::array()},
              {"right", Json::array()},
              {"products", Json::array()},
              {"partial_sums", Json::array()}};
    for (std::size_t k = 0; k < product.inner; ++k) {
      const std::size_t l = row * product.inner + k;
      const std::size_t r =
          (batch * product.inner + k) * product.columns + q % product.columns;
      cell["left"].push_back(l);
      cell["right"].push_back(r);
      cell["products"].push_back(number(left[l] * right[r]));
      cell["partial_sums"].push_back(number(partials[k].values()[q]));
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::vector<double> packed_of(const TraceOperand& operand,
                              const SourceAt& source, std::size_t count) {
  return packed_by(source(operand.base.values().data() + operand.view.offset()),
                   count);
}

Json document(Json operation, const Product& product, Json operands,
              const Tensor& result, Json cells) {
  return {{"schema", "tandem.trace/1"},
          {"build", build_facts()},
          {"operation", std::move(operation)},
          {"operands", std::move(operands)},
          {"product", product_json(product)},
          {"gemm", gemm_json(product)},
          {"cells", std::move(cells)},
          {"result", tensor_with_bits(result)}};
}

}  // namespace

Json trace_matmul(const TraceOperand& left, const TraceOperand& right,
                  bool transpose_left, bool transpose_right) {
  const auto plan =
      MatmulPlan::make(left.view, right.view, transpose_left, transpose_right);
  const Product product = cuda::product_of(plan);
  check_size(product, plan.output_size(), {&left, &right});
  const auto sizes = cuda::packed_sizes(product);
  const SourceAt left_at = [&](const double* origin) {
    return cuda::left_source(plan, origin);
  };
  const SourceAt right_at = [&](const double* origin) {
    return cuda::right_source(plan, origin);
  };
  const ExecutionContext context;
  const std::size_t left_axis = left.view.rank() - (transpose_left ? 2 : 1);
  const std::size_t right_axis = right.view.rank() - (transpose_right ? 1 : 2);
  const auto partials = partial_results(product.inner, [&](std::size_t k) {
    return context.matmul_with_transpose(left.view.slice(left_axis, 0, k),
                                         right.view.slice(right_axis, 0, k),
                                         transpose_left, transpose_right);
  });
  const auto result = context.matmul_with_transpose(
      left.view, right.view, transpose_left, transpose_right);
  return document(
      {{"name", plan.name()},
       {"transpose_left", transpose_left},
       {"transpose_right", transpose_right}},
      product,
      {operand_json(left, packed_json(left, left_at, sizes.left)),
       operand_json(right, packed_json(right, right_at, sizes.right))},
      result,
      cells_json(product, packed_of(left, left_at, sizes.left),
                 packed_of(right, right_at, sizes.right), partials));
}

Json trace_reduction(Reduction reduction, const TraceOperand& operand,
                     std::size_t axis) {
  const auto plan = ReducePlan::make(reduction, operand.view, axis);
  const Product product = cuda::product_of(plan);
  check_size(product, plan.output_size(), {&operand});
  const auto sizes = cuda::packed_sizes(product);
  const SourceAt groups = [&](const double* origin) {
    return cuda::group_source(plan, origin);
  };
  const Tensor column = Tensor::ones({product.inner});
  const TraceOperand ones{"ones", column, column.view()};
  const SourceAt ones_at = [&](const double*) {
    return cuda::ones_source(product.inner);
  };
  const ExecutionContext context;
  // A mean is the sum, scaled once at the end.
  const auto partials = partial_results(product.inner, [&](std::size_t k) {
    return context.sum_axis(operand.view.slice(axis, 0, k), axis);
  });
  Json of_ones = packed_json(ones, ones_at, sizes.right);
  of_ones["storage_places"] = Json::array();  // they are made, not packed
  return document(
      {{"name", plan.name()}, {"axis", axis}}, product,
      {operand_json(operand, packed_json(operand, groups, sizes.left)),
       operand_json(ones, std::move(of_ones))},
      context.run(plan, {operand.view}),
      cells_json(product, packed_of(operand, groups, sizes.left),
                 packed_of(ones, ones_at, sizes.right), partials));
}

}  // namespace tandem::cli
