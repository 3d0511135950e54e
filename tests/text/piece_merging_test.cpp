// Encoding over characters against the definition: join the pair of the lowest
// rank, leftmost first, until none is left. The text is never cut there, so
// this also shows that cutting changes nothing.
#include <gtest/gtest.h>
#include <tandem/text/tokenizer.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "text/small_tokenizers.h"

namespace tandem {
namespace {

using testing_support::low_line;
using testing_support::PairsOfSpellings;
using Spellings = std::vector<std::string>;

Spellings merged_by_definition(Spellings symbols,
                               const PairsOfSpellings& merges) {
  for (;;) {
    std::size_t best_rank = merges.size();
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = std::find(merges.begin(), merges.end(),
                                   std::pair(symbols[i], symbols[i + 1]));
      const auto rank = static_cast<std::size_t>(found - merges.begin());
      if (rank < best_rank) {
        best_rank = rank;
        best = i;
      }
    }
    if (best_rank == merges.size()) return symbols;
    symbols[best] += symbols[best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

// Products are found along several ways, as in vocabularies that were not
// trained by merging: rank order is not the order of growth.
PairsOfSpellings random_merges(std::mt19937& random) {
  Spellings known{"a", "b", "c", low_line};
  PairsOfSpellings merges;
  for (int i = 0; i < 12; ++i) {
    const std::pair pair(known[random() % known.size()],
                         known[random() % known.size()]);
    if (std::find(merges.begin(), merges.end(), pair) != merges.end()) continue;
    merges.push_back(pair);
    known.push_back(pair.first + pair.second);
  }
  std::shuffle(merges.begin(), merges.end(), random);
  return merges;
}

Spellings symbols_of(const std::string& text) {
  Spellings symbols{low_line};
  for (const char c : text) {
    symbols.push_back(c == ' ' ? low_line : std::string(1, c));
  }
  return symbols;
}

TEST(PieceMerging, EqualsTheDefinitionOnUncutText) {
  std::mt19937 random(11);
  for (int round = 0; round < 80; ++round) {
    const PairsOfSpellings merges = random_merges(random);
    const Tokenizer tokenizer = Tokenizer::from_json(
        testing_support::fallback_document(merges).dump(), "test");
    for (int i = 0; i < 10; ++i) {
      std::string text(1 + random() % 30, 'a');
      for (char& c : text) c = "abc "[random() % 4];
      std::vector<TokenId> expected;
      for (const auto& piece : merged_by_definition(symbols_of(text), merges)) {
        expected.push_back(*tokenizer.id_of(piece));
      }
      ASSERT_EQ(tokenizer.encode(text, Framing::none), expected) << text;
    }
  }
}

}  // namespace
}  // namespace tandem
