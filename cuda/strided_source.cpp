#include "cuda/strided_source.h"

#include <algorithm>
#include <cstring>

namespace tandem::cuda {

StridedSource::StridedSource(const double* first,
                             const std::vector<std::size_t>& extents,
                             const std::vector<std::ptrdiff_t>& strides)
    : first_(first) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] == 1) continue;
    const auto step = strides[i] * static_cast<std::ptrdiff_t>(extents[i]);
    if (!axes_.empty() && axes_.back().stride == step) {
      axes_.back() = {axes_.back().extent * extents[i], strides[i]};
    } else {
      axes_.push_back({extents[i], strides[i]});
    }
  }
  if (axes_.empty()) axes_.push_back({1, 1});
}

bool StridedSource::is_packed() const {
  return axes_.size() == 1 && axes_[0].stride == 1;
}

const double* StridedSource::row(std::size_t index) const {
  std::ptrdiff_t offset = 0;
  for (std::size_t i = axes_.size() - 1; i-- > 0;) {
    offset +=
        static_cast<std::ptrdiff_t>(index % axes_[i].extent) * axes_[i].stride;
    index /= axes_[i].extent;
  }
  return first_ + offset;
}

void StridedSource::pack_row(const double* from, std::size_t count,
                             double* out) const {
  const std::ptrdiff_t stride = axes_.back().stride;
  if (stride == 1) {
    std::memcpy(out, from, count * sizeof(double));
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    out[i] = from[static_cast<std::ptrdiff_t>(i) * stride];
}

// Packs up to eight rows at once where they are neighbours along one axis, so
// that each cache line of a transposed operand is read once. Returns how many.
std::size_t StridedSource::pack_rows(std::size_t index, std::size_t rows,
                                     double* out) const {
  const double* from = row(index);
  const Axis& inner = axes_.back();
  if (inner.stride == 1 || axes_.size() == 1) {
    pack_row(from, inner.extent, out);
    return 1;
  }
  const Axis& outer = axes_[axes_.size() - 2];
  const std::size_t together =
      std::min({std::size_t{8}, rows, outer.extent - index % outer.extent});
  for (std::size_t i = 0; i < inner.extent; ++i) {
    const double* column = from + static_cast<std::ptrdiff_t>(i) * inner.stride;
    for (std::size_t r = 0; r < together; ++r)
      out[r * inner.extent + i] =
          column[static_cast<std::ptrdiff_t>(r) * outer.stride];
  }
  return together;
}

void StridedSource::pack(std::size_t begin, std::size_t count,
                         double* out) const {
  const std::size_t length = row_length();
  std::size_t index = begin / length;
  if (const std::size_t skipped = begin % length; skipped != 0) {
    const std::size_t part = std::min(count, length - skipped);
    pack_row(row(index++) +
                 static_cast<std::ptrdiff_t>(skipped) * axes_.back().stride,
             part, out);
    out += part;
    count -= part;
  }
  while (count >= length) {
    const std::size_t rows = pack_rows(index, count / length, out);
    index += rows;
    out += rows * length;
    count -= rows * length;
  }
  if (count != 0) pack_row(row(index), count, out);
}

}  // namespace tandem::cuda
