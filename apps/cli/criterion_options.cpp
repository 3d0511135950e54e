#include "criterion_options.h"

#include <CLI/Error.hpp>
#include <charconv>
#include <cmath>
#include <string>

#include "json.h"

namespace tandem::cli {
namespace {

// Rounded once, and by no locale.
double parse_tolerance(const std::string& option, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value) ||
      std::signbit(value)) {
    throw CLI::ValidationError(
        option, "must be a finite number and not negative: " + text);
  }
  return value;
}

void add_tolerance(CLI::App& app, const std::string& name, double& value,
                   const std::string& help) {
  app.add_option_function<std::string>(
         name,
         [name, &value](const std::string& text) {
           value = parse_tolerance(name, text);
         },
         help)
      ->type_name("X")
      ->default_str(number(value).dump())
      ->group("Criterion");
}

}  // namespace

void CriterionOptions::add_options(CLI::App& app) {
  add_tolerance(app, "--absolute-tolerance", criterion.absolute,
                "A difference of so much is allowed everywhere");
  add_tolerance(app, "--relative-tolerance", criterion.relative,
                "and so many times the CPU's value");
}

}  // namespace tandem::cli
