// Pattern: a regular expression that cuts text into pieces.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tandem::text {

/// Receives pieces of a text, in order; none is empty.
using PieceSink = std::function<void(std::string_view)>;

/// Scratch memory of a search; a thread uses one of its own.
class MatchScratch {
 public:
  MatchScratch();
  ~MatchScratch();
  MatchScratch(const MatchScratch&) = delete;
  MatchScratch& operator=(const MatchScratch&) = delete;

 private:
  friend class Pattern;
  struct Data;
  std::unique_ptr<Data> data_;
};

/// A compiled expression in PCRE2's syntax over UTF-8, with Unicode classes.
/// It never changes: threads may share one.
class Pattern {
 public:
  /// Throws TokenizerError where the expression does not compile.
  explicit Pattern(const std::string& expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  /// Hands each match to `match` and each stretch between matches to `gap`.
  /// `text` is UTF-8. Throws TokenizerError where the search exceeds PCRE2's
  /// limits.
  void split(std::string_view text, MatchScratch& scratch,
             const PieceSink& match, const PieceSink& gap) const;

 private:
  struct Span {
    std::size_t begin;
    std::size_t end;
  };
  Span find(std::string_view text, std::size_t start,
            MatchScratch& scratch) const;

  struct Code;
  std::unique_ptr<const Code> code_;
};

}  // namespace tandem::text
