#include "text/added_tokens.h"

#include <algorithm>

namespace tandem::text {

void AddedTokens::add(const std::string& spelling, TokenId id) {
  auto& same = by_first_byte_[static_cast<unsigned char>(spelling.front())];
  same.push_back({spelling, id});
  std::stable_sort(same.begin(), same.end(), [](const auto& a, const auto& b) {
    return a.spelling.size() > b.spelling.size();
  });
}

void AddedTokens::split(std::string_view text,
                        const std::function<void(std::string_view)>& between,
                        const std::function<void(TokenId)>& token) const {
  std::size_t done = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    const Added* const found = longest_at_start(text.substr(i));
    if (found == nullptr) {
      ++i;
      continue;
    }
    if (i > done) between(text.substr(done, i - done));
    token(found->id);
    done = i += found->spelling.size();
  }
  if (done < text.size()) between(text.substr(done));
}

const AddedTokens::Added* AddedTokens::longest_at_start(
    std::string_view text) const {
  for (const Added& added :
       by_first_byte_[static_cast<unsigned char>(text.front())]) {
    if (text.starts_with(added.spelling)) return &added;
  }
  return nullptr;
}

}  // namespace tandem::text
