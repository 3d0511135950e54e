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
    const Merge* merge = merge_at(tokens, best.position);
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
  for (std::size_t i = 0; i < count; ++i) {
    previous_[i] = i == 0 ? end : i - 1;
    next_[i] = i + 1 == count ? end : i + 1;
  }
  heap_.clear();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Merge* merge = table_.find(tokens[i], tokens[i + 1]);
    if (merge != nullptr) heap_.push_back({merge->rank, i});
  }
  std::make_heap(heap_.begin(), heap_.end(), later);
}

RankedMerger::Candidate RankedMerger::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Candidate best = heap_.back();
  heap_.pop_back();
  return best;
}

void RankedMerger::offer(const std::vector<TokenId>& tokens,
                         std::size_t position) {
  const Merge* merge = merge_at(tokens, position);
  if (merge == nullptr) return;
  heap_.push_back({merge->rank, position});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

const Merge* RankedMerger::merge_at(const std::vector<TokenId>& tokens,
                                    std::size_t position) const {
  if (tokens[position] == MergeTable::no_token) return nullptr;
  const std::size_t next = next_[position];
  return next == end ? nullptr : table_.find(tokens[position], tokens[next]);
}

void RankedMerger::join(std::vector<TokenId>& tokens, std::size_t position,
                        TokenId product) {
  const std::size_t gone = next_[position];
  tokens[position] = product;
  tokens[gone] = MergeTable::no_token;
  next_[position] = next_[gone];
  if (next_[gone] != end) previous_[next_[gone]] = position;
  if (previous_[position] != end) offer(tokens, previous_[position]);
  offer(tokens, position);
}

}  // namespace tandem::text
