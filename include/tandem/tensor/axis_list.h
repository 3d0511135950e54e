// AxisList: one small value for each axis, without a heap allocation up to
// rank 6. Shapes and strides are made of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace tandem {

/// A sequence of one `T` per axis. T is a plain integer type.
template <class T>
class AxisList {
 public:
  using value_type = T;

  AxisList() = default;
  AxisList(std::initializer_list<T> values)
      : AxisList(values.begin(), values.end()) {}
  AxisList(std::size_t count, T value) {
    resize(count);
    std::fill(begin(), end(), value);
  }
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>)
      AxisList(Iterator first, Iterator last) {
    resize(static_cast<std::size_t>(std::distance(first, last)));
    std::copy(first, last, begin());
  }
  AxisList(const AxisList& other) : size_(other.size_) {
    if (other.heap_) {
      copy_to_heap(other);
    } else {
      // All of it, whatever the size: a copy of fixed length has no loop.
      std::copy_n(other.inline_, inline_capacity, inline_);
    }
  }
  AxisList(AxisList&& other) noexcept
      : size_(other.size_),
        capacity_(other.capacity_),
        heap_(std::move(other.heap_)) {
    std::copy_n(other.inline_, inline_capacity, inline_);
    other.forget();
  }
  AxisList& operator=(const AxisList& other) {
    if (this != &other) *this = AxisList(other);
    return *this;
  }
  AxisList& operator=(AxisList&& other) noexcept {
    size_ = other.size_;
    capacity_ = other.capacity_;
    heap_ = std::move(other.heap_);
    std::copy_n(other.inline_, inline_capacity, inline_);
    other.forget();
    return *this;
  }
  ~AxisList() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return heap_ ? heap_.get() : inline_; }
  const T* data() const { return heap_ ? heap_.get() : inline_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t axis) { return data()[axis]; }
  const T& operator[](std::size_t axis) const { return data()[axis]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void push_back(T value) { insert(size_, value); }

  /// Puts `value` before the entry at `position`; position <= size().
  void insert(std::size_t position, T value) {
    resize(size_ + 1);
    std::copy_backward(begin() + position, end() - 1, end());
    data()[position] = value;
  }

  /// Removes the entry at `position`; position < size().
  void erase(std::size_t position) {
    std::copy(begin() + position + 1, end(), begin() + position);
    --size_;
  }

  friend bool operator==(const AxisList& a, const AxisList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr std::size_t inline_capacity = 6;

  void copy_to_heap(const AxisList& other) {
    capacity_ = other.size_;
    heap_ = std::make_unique<T[]>(capacity_);
    std::copy_n(other.heap_.get(), size_, heap_.get());
  }

  void forget() noexcept {
    size_ = 0;
    capacity_ = inline_capacity;
  }

  void resize(std::size_t size) {
    if (size > capacity_) {
      auto grown = std::make_unique<T[]>(2 * size);
      std::copy(begin(), end(), grown.get());
      heap_ = std::move(grown);
      capacity_ = 2 * size;
    }
    size_ = size;
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = inline_capacity;
  T inline_[inline_capacity] = {};
  std::unique_ptr<T[]> heap_;
};

}  // namespace tandem
