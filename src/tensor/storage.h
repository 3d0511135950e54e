// Storage: the host memory behind tensors. It is written once, by whoever made
// it, and never again: everything that shares it may read without a lock.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace tandem {

/// A block of f64 values. Its owner is whatever keeps the memory alive, so a
/// backend can leave results in memory of its own (pinned, pooled).
class Storage {
  struct Key {};  // makes the constructor ours, though make_shared calls it

 public:
  /// `count` values that are not initialised yet; the maker fills them through
  /// writable() before anyone else sees the storage. Throws Error where the
  /// memory cannot be had.
  static std::shared_ptr<Storage> allocate(std::size_t count);

  /// Memory that `owner` keeps alive; its type tells a backend whether the
  /// memory is one of its own.
  static std::shared_ptr<Storage> adopt(double* values, std::size_t count,
                                        std::shared_ptr<void> owner);

  Storage(Key, double* values, std::size_t count, std::shared_ptr<void> owner)
      : values_(values), count_(count), owner_(std::move(owner)) {}
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::size_t count() const { return count_; }
  /// Null where the values stand behind this very object.
  const std::shared_ptr<void>& owner() const { return owner_; }

  /// The values on the host. Thread-safe.
  const double* values() const;

  /// For the maker alone, until the storage is shared.
  double* writable() { return values_; }

 private:
  double* values_;
  std::size_t count_;
  std::shared_ptr<void> owner_;
};

}  // namespace tandem
