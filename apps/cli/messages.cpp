#include "messages.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "json.h"

namespace tandem::cli {
namespace {

void say(const std::string& text) { std::cerr << "tandem: " << text << '\n'; }

bool on_terminal() { return ::isatty(STDERR_FILENO) == 1; }

std::string text_of(double value) { return number(value).dump(); }

// The failed tensor whose worst element is furthest off; one that could not
// be compared at all comes first.
const compare::TensorComparison& worst_of(
    const compare::Comparison& comparison) {
  const auto badness = [](const compare::TensorComparison& tensor) {
    if (tensor.finding == compare::Finding::equal) return -1.0;
    return tensor.worst ? tensor.worst->ratio : HUGE_VAL;
  };
  return *std::max_element(
      comparison.tensors.begin(), comparison.tensors.end(),
      [&](const auto& a, const auto& b) { return badness(a) < badness(b); });
}

std::string place_of(const compare::ElementDifference& worst) {
  return "worst at " + Json(worst.coordinates).dump() + ": expected " +
         text_of(worst.expected) + ", got " + text_of(worst.actual) + ", " +
         text_of(worst.ratio) + " times what is allowed";
}

}  // namespace

void report_progress(const std::string& text) {
  if (on_terminal()) say(text);
}

void report_verdict(const compare::Comparison& comparison) {
  if (comparison.passed) {
    report_progress("comparison passed: " + std::to_string(comparison.count) +
                    " elements of " +
                    std::to_string(comparison.tensors.size()) + " tensors");
    return;
  }
  const compare::TensorComparison& worst = worst_of(comparison);
  std::string text = "comparison failed: " + worst.name + ": " +
                     compare::to_string(worst.finding);
  if (worst.worst) {
    text += ": " + std::to_string(worst.mismatches) + " of " +
            std::to_string(worst.count) + " elements, " +
            place_of(*worst.worst);
  }
  say(text);
}

void report_divergence(const OperationCheck& check) {
  const auto found = check.first_divergence();
  if (!found) return;
  say("first divergence: " + found->operation + " at " + found->scope + ", " +
      to_string(found->pass) + ": element " + std::to_string(found->index) +
      " of " + to_string(found->shape) + ": expected " +
      text_of(found->expected) + ", got " + text_of(found->actual));
}

}  // namespace tandem::cli
