// PreTokenizer: cuts a text into the pieces that merging never crosses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/pattern.h"

namespace tandem::text {

/// The expression by which GPT-2 cuts a text into words, numbers, other signs
/// and white space.
extern const char* const gpt2_expression;

class PreTokenizer {
 public:
  enum class Matches { isolated, removed };

  /// Adds a stage, which cuts each piece of the stage before it: matches
  /// become pieces or vanish, and what lies between is a piece.
  void add_split(const std::string& expression, Matches matches);

  /// Adds a stage that puts a space before a piece that begins with none.
  void add_prefix_space();

  /// Hands on the pieces of `text`, which is UTF-8.
  void split(std::string_view text, MatchScratch& scratch,
             const PieceSink& sink) const;

 private:
  struct Stage {
    std::vector<Pattern> pattern;  // one, or none: prefix space
    Matches matches;
  };
  void split_from(std::size_t stage, std::string_view text,
                  MatchScratch& scratch, const PieceSink& sink) const;

  std::vector<Stage> stages_;
};

}  // namespace tandem::text
