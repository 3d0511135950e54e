// Normalizer: what happens to a text before it is cut: a prefix, replacements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tandem::text {

class Normalizer {
 public:
  /// Puts `prefix` before every text that is not empty.
  void prepend(const std::string& prefix);

  /// Replaces each `from`, which is not empty, by `to`, from left to right.
  void replace(const std::string& from, const std::string& to);

  bool changes_nothing() const { return steps_.empty(); }
  std::string apply(std::string_view text) const;

 private:
  struct Step {
    std::string from;  // empty: prepend
    std::string to;
  };
  std::vector<Step> steps_;
};

/// `text` with each `from`, which is not empty, replaced by `to`.
std::string replaced(std::string_view text, std::string_view from,
                     std::string_view to);

}  // namespace tandem::text
