// The merge engine against the definition: for each rank in turn, from left to
// right, join the pairs that do not overlap. TANDEM_RANDOM_STRINGS sets how
// many strings are tried.
#include <gtest/gtest.h>
#include <tandem/text/byte_pair_tokenizer.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace tandem {
namespace {

using Ids = std::vector<TokenId>;

Ids join_everywhere(const Ids& tokens, const MergePair& pair, TokenId product) {
  Ids joined;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool here = i + 1 < tokens.size() && tokens[i] == pair.left &&
                      tokens[i + 1] == pair.right;
    joined.push_back(here ? product : tokens[i]);
    if (here) ++i;
  }
  return joined;
}

Ids encode_by_definition(const std::vector<MergePair>& merges,
                         const std::string& bytes) {
  Ids tokens;
  for (const char c : bytes) {
    tokens.push_back(2 + static_cast<TokenId>(static_cast<unsigned char>(c)));
  }
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    tokens = join_everywhere(tokens, merges[rank], 258 + rank);
  }
  return tokens;
}

class Generator {
 public:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  // Few letters, so that merges meet, overlap and nest.
  std::string string(std::size_t letters, std::size_t length) {
    std::string text(length, 'a');
    for (char& c : text) c = static_cast<char>('a' + below(letters));
    return text;
  }

  std::vector<MergePair> merges(std::size_t letters, std::size_t most) {
    std::vector<MergePair> merges;
    for (std::size_t left = below(most + 1); left > 0; --left) {
      const MergePair pair{operand(letters, merges.size()),
                           operand(letters, merges.size())};
      const auto same = [&](const MergePair& other) {
        return other.left == pair.left && other.right == pair.right;
      };
      if (std::none_of(merges.begin(), merges.end(), same)) {
        merges.push_back(pair);
      }
    }
    return merges;
  }

 private:
  TokenId operand(std::size_t letters, std::size_t merged) {
    const std::size_t pick = below(letters + merged);
    return pick < letters ? 2 + 'a' + pick : 258 + (pick - letters);
  }

  std::mt19937_64 random_{20260101};
};

std::size_t string_count() {
  const char* count = std::getenv("TANDEM_RANDOM_STRINGS");
  return count == nullptr ? 5000 : std::strtoull(count, nullptr, 10);
}

TEST(RankedMerging, EqualsTheRankByRankLoopOnRandomStrings) {
  Generator generator;
  std::size_t tokens_saved = 0;
  for (std::size_t done = 0; done < string_count();) {
    const std::size_t letters = 1 + generator.below(4);
    const std::vector<MergePair> merges = generator.merges(letters, 20);
    const BytePairTokenizer tokenizer(merges);
    for (int i = 0; i < 20 && done < string_count(); ++i, ++done) {
      const std::string text = generator.string(letters, generator.below(41));
      const Ids expected = encode_by_definition(merges, text);
      ASSERT_EQ(tokenizer.encode_bytes(text), expected) << text;
      ASSERT_EQ(tokenizer.decode_bytes(expected), text);
      tokens_saved += text.size() - expected.size();
    }
  }
  EXPECT_GT(tokens_saved, string_count());  // else nothing was put to the test
}

TEST(RankedMerging, EqualsTheRankByRankLoopOnALongString) {
  Generator generator;
  const std::vector<MergePair> merges = generator.merges(3, 60);
  const std::string text = generator.string(3, 200000);
  EXPECT_EQ(BytePairTokenizer(merges).encode_bytes(text),
            encode_by_definition(merges, text));
}

// In a run every pair waits for the one before it, up to either end.
TEST(RankedMerging, EqualsTheRankByRankLoopOnRuns) {
  Generator generator;
  for (int round = 0; round < 200; ++round) {
    const std::size_t letters = 1 + generator.below(3);
    const std::vector<MergePair> merges = generator.merges(letters, 30);
    const std::string unit = generator.string(letters, 1 + generator.below(4));
    std::string text = generator.string(letters, generator.below(3));
    for (std::size_t left = generator.below(300); left > 0; --left) {
      text += unit;
    }
    ASSERT_EQ(BytePairTokenizer(merges).encode_bytes(text),
              encode_by_definition(merges, text))
        << text;
  }
}

}  // namespace
}  // namespace tandem
