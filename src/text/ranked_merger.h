// RankedMerger: applies a merge table to a sequence in O(n log n).
#pragma once

#include <tandem/text/token.h>

#include <vector>

#include "text/merge_table.h"

namespace tandem::text {

/// Merges sequences as the plain loop does: the lowest rank first, and within
/// a rank from left to right without overlap. It keeps its scratch memory from
/// one sequence to the next, so a thread uses one of its own.
class RankedMerger {
 public:
  /// `table` must outlive the merger.
  explicit RankedMerger(const MergeTable& table) : table_(table) {}

  /// Replaces `tokens` by what they merge to.
  void run(std::vector<TokenId>& tokens);

 private:
  // A pair that could merge when it was seen; it may have gone since.
  struct Candidate {
    std::size_t rank;
    std::size_t position;  // of the left token
  };
  static bool later(const Candidate& a, const Candidate& b);

  void start(const std::vector<TokenId>& tokens);
  Candidate pop();
  bool is_due(std::size_t position) const;
  void offer(std::size_t position);
  void join(std::vector<TokenId>& tokens, std::size_t position,
            TokenId product);
  void replace(std::vector<TokenId>& tokens, std::size_t position,
               TokenId product);

  const MergeTable& table_;
  // Every pair that is due, the next on top. A pair that waits for another
  // stays out: a run of one character would fill the heap with them.
  std::vector<Candidate> heap_;
  std::vector<std::size_t> previous_;  // a list through the live positions;
  std::vector<std::size_t> next_;      // `end` closes it at both sides
  // Of the token at a position and its next: null where they do not merge.
  std::vector<const Merge*> merges_;
};

}  // namespace tandem::text
