// How far two devices may be apart.
#pragma once

#include <tandem/execution/criterion.h>

#include <CLI/App.hpp>

namespace tandem::cli {

struct CriterionOptions {
  Criterion criterion;

  void add_options(CLI::App& app);
};

}  // namespace tandem::cli
