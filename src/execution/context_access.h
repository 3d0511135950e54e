// ContextAccess: what a context keeps to itself.
#pragma once

#include <tandem/execution/context.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "execution/backend.h"

namespace tandem {

struct ContextAccess {
  /// A context over a backend of one's own.
  static ExecutionContext over(std::shared_ptr<Backend> backend) {
    ExecutionContext context;
    context.backend_ = std::move(backend);
    return context;
  }

  /// Threads for what runs on the CPU; 0: all cores.
  static std::size_t threads(const ExecutionContext& context) {
    return context.threads_;
  }
};

}  // namespace tandem
