#include "autograd/finite.h"

#include <tandem/tensor/error.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "cpu/loop_nest.h"
#include "cpu/thread_pool.h"
#include "tensor/storage_access.h"

namespace tandem::autograd {
namespace {

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t exponent = 0x7ff0000000000000;
constexpr std::size_t block = 512;

// Elements a task is worth waking a thread for.
constexpr std::size_t grain = 32768;

// Each marks what it looks for in the top bit, without a branch, so that the
// marks of many values can be gathered by vector instructions.
struct IsNonfinite {
  std::uint64_t operator()(std::uint64_t bits) const {
    return (bits & exponent) + (std::uint64_t{1} << 52);
  }
};

struct IsNonfiniteOrNegativeZero {
  std::uint64_t operator()(std::uint64_t bits) const {
    const std::uint64_t rest = bits ^ top_bit;
    return IsNonfinite{}(bits) | ((rest - 1) & ~rest);
  }
};

template <class Mark>
bool is_marked(double value, Mark mark) {
  return (mark(std::bit_cast<std::uint64_t>(value)) & top_bit) != 0;
}

template <class Mark>
bool any_marked(const double* values, std::size_t count, Mark mark) {
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < count; ++i) {
    marks |= mark(std::bit_cast<std::uint64_t>(values[i]));
  }
  return (marks & top_bit) != 0;
}

// Whether `inspect(begin, end)` says so of a part of [0, count). Each part is
// short enough to stay in the first-level cache.
template <class Inspect>
bool any_part(std::size_t count, std::size_t threads, const Inspect& inspect) {
  std::atomic<bool> any{false};
  cpu::parallel_chunks(count, grain, static_cast<unsigned>(threads),
                       [&](std::size_t begin, std::size_t end) {
                         for (std::size_t i = begin; i < end; i += block) {
                           if (inspect(i, std::min(end, i + block))) any = true;
                         }
                       });
  return any;
}

template <class Mark>
bool any_marked_in(const TensorView& view, std::size_t threads, Mark mark) {
  const double* values = StorageAccess::origin(view);
  return any_part(view.size(), threads,
                  [&](std::size_t begin, std::size_t end) {
                    return any_marked(values + begin, end - begin, mark);
                  });
}

// The first marked value of a run, or `count`.
template <class Mark>
std::size_t find_in_run(const double* values, std::ptrdiff_t step,
                        std::size_t count, Mark mark) {
  std::size_t i = 0;
  if (step == 1) {  // leave out whole blocks that hold none
    while (i < count &&
           !any_marked(values + i, std::min(block, count - i), mark)) {
      i += std::min(block, count - i);
    }
  }
  const double* value = values + static_cast<std::ptrdiff_t>(i) * step;
  while (i < count && !is_marked(*value, mark)) {
    ++i;
    value += step;
  }
  return i;
}

template <class Mark>
std::optional<std::size_t> find(const TensorView& view, Mark mark) {
  if (view.size() == 0) return std::nullopt;
  const double* origin = StorageAccess::origin(view);
  std::optional<std::size_t> found;
  std::size_t passed = 0;
  const cpu::LoopNest<1> nest(view.shape(), {&view.strides()});
  nest.run([&](const auto& offsets, std::size_t count, const auto& steps) {
    if (found) return;
    const std::size_t at =
        find_in_run(origin + offsets[0], steps[0], count, mark);
    if (at < count) found = passed + at;
    passed += count;
  });
  return found;
}

// The element of the view that row-major order visits at `index`.
double element(const TensorView& view, std::size_t index) {
  std::ptrdiff_t offset = 0;
  for (std::size_t axis = view.rank(); axis-- > 0;) {
    const std::size_t extent = view.shape()[axis];
    offset +=
        static_cast<std::ptrdiff_t>(index % extent) * view.strides()[axis];
    index /= extent;
  }
  return StorageAccess::origin(view)[offset];
}

}  // namespace

std::optional<std::size_t> first_nonfinite(const TensorView& view,
                                           std::size_t threads) {
  const IsNonfinite mark;
  if (view.is_contiguous() && !any_marked_in(view, threads, mark)) {
    return std::nullopt;
  }
  return find(view, mark);
}

void check_finite(const TensorView& view, const char* operation,
                  std::size_t threads) {
  if (const auto index = first_nonfinite(view, threads)) {
    throw NonfiniteError(operation, *index, element(view, *index));
  }
}

bool is_plain(const TensorView& view, std::size_t threads) {
  const IsNonfiniteOrNegativeZero mark;
  return view.is_contiguous() ? !any_marked_in(view, threads, mark)
                              : !find(view, mark);
}

bool add_packed(const double* a, const double* b, std::size_t count,
                double* sum, std::size_t threads) {
  return !any_part(count, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      sum[i] = (a == nullptr ? 0.0 : a[i]) + b[i];
    }
    return any_marked(sum + begin, end - begin, IsNonfinite{});
  });
}

}  // namespace tandem::autograd
