#include "cuda/canonical_nan.h"

#include <bit>
#include <cstdint>

#include "cpu/thread_pool.h"

namespace tandem::cuda {
namespace {

constexpr std::size_t grain = std::size_t{1} << 16;

bool holds_nan(const double* values, std::size_t count) {
  bool found = false;
  for (std::size_t i = 0; i < count; ++i) found |= values[i] != values[i];
  return found;
}

// Results are read once; only those with a NaN are written again.
void fix(double* values, std::size_t count) {
  if (!holds_nan(values, count)) return;
  const double canonical =
      std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] != values[i]) values[i] = canonical;
  }
}

}  // namespace

void store_canonical_nans(double* values, std::size_t count) {
  if (count <= grain) return fix(values, count);
  cpu::parallel_chunks(count, grain, 0,
                       [&](std::size_t begin, std::size_t end) {
                         fix(values + begin, end - begin);
                       });
}

}  // namespace tandem::cuda
