// AddedTokens: tokens that are found in a text as they are spelled, before
// anything else looks at it.
#pragma once

#include <tandem/text/token.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::text {

class AddedTokens {
 public:
  void add(const std::string& spelling, TokenId id);

  /// Cuts `text` at every added token: the leftmost first, the longest where
  /// several begin together. Hands the stretches between them to `between` and
  /// the tokens to `token`, in order; no stretch is empty.
  void split(std::string_view text,
             const std::function<void(std::string_view)>& between,
             const std::function<void(TokenId)>& token) const;

 private:
  struct Added {
    std::string spelling;
    TokenId id;
  };
  const Added* longest_at_start(std::string_view text) const;

  // By first byte, the longest first.
  std::array<std::vector<Added>, 256> by_first_byte_;
};

}  // namespace tandem::text
