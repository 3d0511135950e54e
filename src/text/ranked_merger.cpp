#include "text/ranked_merger.h"

#include <algorithm>

namespace tandem::text {
namespace {

constexpr std::size_t end = static_cast<std::size_t>(-1);

}  // namespace

void RankedMerger::run(std::vector<TokenId>& tokens) {
  if (tokens.size() < 2) return;
  start(tokens);
  while (!heap_.empty()) {
    const Candidate best = pop();
    const Merge* merge = merges_[best.position];
    // A neighbour may have merged away since the candidate was seen.
    if (merge == nullptr || merge->rank != best.rank) continue;
    join(tokens, best.position, merge->product);
  }
  std::erase(tokens, MergeTable::no_token);
}

bool RankedMerger::later(const Candidate& a, const Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.position > b.position;
}

void RankedMerger::start(const std::vector<TokenId>& tokens) {
  const std::size_t count = tokens.size();
  previous_.resize(count);
  next_.resize(count);
  merges_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_last = i + 1 == count;
    previous_[i] = i == 0 ? end : i - 1;
    next_[i] = is_last ? end : i + 1;
    merges_[i] = is_last ? nullptr : table_.find(tokens[i], tokens[i + 1]);
  }
  heap_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_due(i)) heap_.push_back({merges_[i]->rank, i});
  }
  std::make_heap(heap_.begin(), heap_.end(), later);
}

RankedMerger::Candidate RankedMerger::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Candidate best = heap_.back();
  heap_.pop_back();
  return best;
}

// Whether the pair at `position` merges, and before those that overlap it.
bool RankedMerger::is_due(std::size_t position) const {
  if (position == end || merges_[position] == nullptr) return false;
  const std::size_t rank = merges_[position]->rank;
  const std::size_t before = previous_[position];
  const Merge* const left = before == end ? nullptr : merges_[before];
  const Merge* const right = merges_[next_[position]];
  return (left == nullptr || left->rank > rank) &&
         (right == nullptr || right->rank >= rank);
}

void RankedMerger::offer(std::size_t position) {
  if (!is_due(position)) return;
  heap_.push_back({merges_[position]->rank, position});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

// Two pairs change, and with them what their neighbours wait for. A neighbour
// that was due already is in the heap.
void RankedMerger::join(std::vector<TokenId>& tokens, std::size_t position,
                        TokenId product) {
  const std::size_t before = previous_[position];
  const std::size_t left = before == end ? end : previous_[before];
  const std::size_t right = next_[next_[position]];
  const bool left_was_due = is_due(left);
  const bool right_was_due = is_due(right);
  replace(tokens, position, product);
  if (!left_was_due) offer(left);
  offer(before);
  offer(position);
  if (!right_was_due) offer(right);
}

// The token at `position` and its next by what they merge to.
void RankedMerger::replace(std::vector<TokenId>& tokens, std::size_t position,
                           TokenId product) {
  const std::size_t gone = next_[position];
  const std::size_t before = previous_[position];
  const std::size_t after = next_[gone];
  tokens[position] = product;
  tokens[gone] = MergeTable::no_token;
  merges_[gone] = nullptr;
  next_[position] = after;
  if (after != end) previous_[after] = position;
  if (before != end) merges_[before] = table_.find(tokens[before], product);
  merges_[position] =
      after == end ? nullptr : table_.find(product, tokens[after]);
}

}  // namespace tandem::text
