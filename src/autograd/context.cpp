#include <tandem/autograd/context.h>

#include <utility>

namespace tandem::autograd {

Context Context::recording() { return {}; }

Context Context::no_grad() {
  Context context;
  context.recording_ = false;
  return context;
}

Context Context::with_execution(ExecutionContext execution) const {
  Context context = *this;
  context.execution_ = std::move(execution);
  return context;
}

Context Context::scoped(std::string_view name) const {
  return with_execution(execution_.scoped(name));
}

}  // namespace tandem::autograd
