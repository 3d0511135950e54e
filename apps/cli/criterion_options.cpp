#include "criterion_options.h"

#include "number_options.h"

namespace tandem::cli {

void CriterionOptions::add_options(CLI::App& app) {
  add_tolerance(app, "--absolute-tolerance", criterion.absolute,
                "A difference of so much is allowed everywhere")
      ->group("Criterion");
  add_tolerance(app, "--relative-tolerance", criterion.relative,
                "and so many times the CPU's value")
      ->group("Criterion");
}

}  // namespace tandem::cli
