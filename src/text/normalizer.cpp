#include "text/normalizer.h"

namespace tandem::text {

void Normalizer::prepend(const std::string& prefix) {
  steps_.push_back({"", prefix});
}

void Normalizer::replace(const std::string& from, const std::string& to) {
  steps_.push_back({from, to});
}

std::string Normalizer::apply(std::string_view text) const {
  std::string result(text);
  for (const Step& step : steps_) {
    if (!step.from.empty()) {
      result = replaced(result, step.from, step.to);
    } else if (!result.empty()) {
      result.insert(0, step.to);
    }
  }
  return result;
}

std::string replaced(std::string_view text, std::string_view from,
                     std::string_view to) {
  std::string result;
  result.reserve(text.size());
  std::size_t done = 0;
  for (std::size_t at = text.find(from); at != std::string_view::npos;
       at = text.find(from, done)) {
    result.append(text.substr(done, at - done)).append(to);
    done = at + from.size();
  }
  return result.append(text.substr(done));
}

}  // namespace tandem::text
