// The names of the execution choices, and of places in a model.
#include <tandem/execution/criterion.h>
#include <tandem/execution/device.h>
#include <tandem/execution/precision.h>
#include <tandem/execution/scope.h>

#include <cmath>
#include <utility>

namespace tandem {

const char* to_string(MatmulPrecision precision) {
  switch (precision) {
    case MatmulPrecision::F64:
      return "F64";
    case MatmulPrecision::F16F32:
      return "F16F32";
    case MatmulPrecision::Bf16F32:
      return "Bf16F32";
  }
  return "unknown";
}

std::string to_string(const Device& device) {
  return device.kind == DeviceKind::cpu
             ? "cpu"
             : "cuda:" + std::to_string(device.ordinal);
}

bool Criterion::admits(double expected, double actual) const {
  return std::isfinite(expected) && std::isfinite(actual) &&
         std::fabs(actual - expected) <=
             absolute + relative * std::fabs(expected);
}

const char* to_string(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::reverse:
      return "reverse";
    case Pass::reverse_left:
      return "reverse-left";
    case Pass::reverse_right:
      return "reverse-right";
  }
  return "unknown";
}

struct Scope::Segment {
  std::shared_ptr<const Segment> before;
  std::string name;
};

Scope::Scope(std::shared_ptr<const Segment> segment)
    : last_(std::move(segment)) {}

Scope Scope::operator/(std::string_view name) const {
  return Scope(
      std::make_shared<const Segment>(Segment{last_, std::string(name)}));
}

std::string Scope::path() const {
  std::string text;
  for (const Segment* at = last_.get(); at != nullptr; at = at->before.get()) {
    text = text.empty() ? at->name : at->name + "." + text;
  }
  return text;
}

}  // namespace tandem
