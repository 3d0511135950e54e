// Scope: where in a model an operation runs, for reports.
#pragma once

#include <tandem/export.h>

#include <memory>
#include <string>
#include <string_view>

namespace tandem {

/// Which of an operation's products runs.
enum class Pass { forward, reverse, reverse_left, reverse_right };

/// `forward`, `reverse`, `reverse-left` or `reverse-right`
TANDEM_API const char* to_string(Pass pass);

/// A dotted path such as `blocks.1.attention.query`. Extending and copying are
/// cheap; the text is only made when it is asked for.
class TANDEM_API Scope {
 public:
  Scope() = default;

  /// This path followed by `name`.
  Scope operator/(std::string_view name) const;

  /// Empty at the root.
  std::string path() const;

 private:
  struct Segment;
  explicit Scope(std::shared_ptr<const Segment> segment);

  std::shared_ptr<const Segment> last_;
};

}  // namespace tandem
