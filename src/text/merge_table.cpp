#include "text/merge_table.h"

namespace tandem::text {

MergeTable::MergeTable(std::size_t merge_count) {
  std::size_t size = 2;
  while (size / 2 < merge_count) size *= 2;
  slots_.resize(size);
}

Merge MergeTable::insert(TokenId left, TokenId right, Merge merge) {
  Slot& slot = slots_[slot_of(left, right)];
  if (slot.left == no_token) slot = {left, right, merge};
  return slot.merge;
}

const Merge* MergeTable::find(TokenId left, TokenId right) const {
  const Slot& slot = slots_[slot_of(left, right)];
  return slot.left == no_token ? nullptr : &slot.merge;
}

// The slot of the pair, or the free one where it would be put.
std::size_t MergeTable::slot_of(TokenId left, TokenId right) const {
  // Multiplication by odd constants spreads both ids; the fold brings the high
  // bits, the well-mixed ones, down to where the mask looks.
  std::uint64_t hash = left * 0x9e3779b97f4a7c15ULL + right;
  hash *= 0xd6e8feb86659fd93ULL;
  hash ^= hash >> 32;
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = static_cast<std::size_t>(hash) & mask;
  while (slots_[i].left != no_token &&
         (slots_[i].left != left || slots_[i].right != right)) {
    i = (i + 1) & mask;
  }
  return i;
}

}  // namespace tandem::text
