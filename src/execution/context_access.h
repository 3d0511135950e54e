// ContextAccess: a context over a backend of one's own.
#pragma once

#include <tandem/execution/context.h>

#include <memory>
#include <utility>

#include "execution/backend.h"

namespace tandem {

struct ContextAccess {
  static ExecutionContext over(std::shared_ptr<Backend> backend) {
    ExecutionContext context;
    context.backend_ = std::move(backend);
    return context;
  }
};

}  // namespace tandem
