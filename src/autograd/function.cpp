#include <tandem/autograd/function.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <string>
#include <utility>

#include "autograd/finite.h"
#include "autograd/node.h"
#include "execution/context_access.h"
#include "tensor/storage_access.h"

namespace tandem::autograd {
namespace {

// A view of an operand shows values that were checked before.
bool is_of_operand(const TensorView& output,
                   const std::vector<TensorView>& operands) {
  const auto& storage = StorageAccess::storage(output);
  return std::any_of(operands.begin(), operands.end(), [&](const auto& view) {
    return StorageAccess::storage(view) == storage &&
           StorageAccess::is_whole(view);
  });
}

}  // namespace

Variable apply(const char* name, const std::vector<Variable>& operands,
               const Forward& forward, Reverse reverse,
               const Context& context) {
  std::vector<TensorView> values;
  std::vector<Edge> edges;
  values.reserve(operands.size());
  edges.reserve(operands.size());
  bool tracked = false;
  for (const Variable& operand : operands) {
    auto [value, version] = operand.node()->snapshot();
    values.push_back(std::move(value));
    edges.push_back({operand.node(), version});
    tracked = tracked || operand.is_tracked();
  }
  const bool recorded = tracked && context.is_recording();
  if (recorded && !reverse) {
    throw GraphError(std::string(name) +
                     ": reverse is missing: an operand is tracked");
  }
  TensorView output = forward(values, context.execution());
  if (!is_of_operand(output, values)) {
    check_finite(output, name, ContextAccess::threads(context.execution()));
  }
  if (!recorded) {
    return Variable(std::make_shared<Node>(std::move(output), false));
  }
  const ExecutionContext& execution = context.execution();
  auto body = make_body({name, std::move(edges), std::move(reverse),
                         execution.scope(), execution.matmul_precision()});
  return Variable(
      std::make_shared<Node>(std::move(output), true, std::move(body)));
}

}  // namespace tandem::autograd
