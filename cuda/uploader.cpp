#include "cuda/uploader.h"

#include <algorithm>

#include "cpu/thread_pool.h"

namespace tandem::cuda {
namespace {

constexpr std::size_t slot_count = 4;
constexpr std::size_t slot_elements = (std::size_t{8} << 20) / sizeof(double);
constexpr std::size_t smallest_piece = slot_elements / 8;

// One thread's share of a piece.
constexpr std::size_t grain = slot_elements / 16;

// Rows that a transposed operand packs together.
constexpr std::size_t rows_together = 8;

// Large pieces keep the bus busy, but the first is waited for.
std::size_t piece_size(std::size_t count) {
  return std::clamp(count / 8, smallest_piece, slot_elements);
}

// A share that begins with a whole group of rows packs fastest.
std::size_t aligned_grain(const StridedSource& source) {
  const std::size_t unit = source.row_length() <= grain / rows_together
                               ? source.row_length() * rows_together
                               : 1;
  return grain / unit * unit;
}

void pack_in_parallel(const StridedSource& source, std::size_t begin,
                      std::size_t count, double* out) {
  cpu::parallel_chunks(count, aligned_grain(source), 0,
                       [&](std::size_t from, std::size_t to) {
                         source.pack(begin + from, to - from, out + from);
                       });
}

}  // namespace

Uploader::Uploader(Engine& engine, std::shared_ptr<PinnedPool> pool)
    : engine_(engine), pool_(std::move(pool)) {}

Uploader::Slot& Uploader::next_slot() {
  if (slots_.size() < slot_count) {
    slots_.push_back({pool_->take(slot_elements * sizeof(double)),
                      engine_.make_marker(), false});
    return slots_.back();
  }
  Slot& slot = slots_[next_++ % slot_count];
  if (slot.in_flight) engine_.wait(slot.sent);
  slot.in_flight = false;
  return slot;
}

void Uploader::upload(const Operand& operand, std::size_t begin,
                      std::size_t count, double* device) {
  const StridedSource& source = operand.source;
  if (source.is_packed() && pool_->owns(operand.owner)) {
    engine_.copy_to_device(device, source.first() + begin,
                           count * sizeof(double), Engine::Lane::in);
    return;
  }
  const std::size_t whole_piece = piece_size(count);
  for (std::size_t done = 0; done < count; done += whole_piece) {
    const std::size_t piece = std::min(whole_piece, count - done);
    Slot& slot = next_slot();
    auto* staging = static_cast<double*>(slot.memory->data());
    pack_in_parallel(source, begin + done, piece, staging);
    slot.in_flight = true;
    engine_.copy_to_device(device + done, staging, piece * sizeof(double),
                           Engine::Lane::in);
    engine_.mark(slot.sent, Engine::Lane::in);
  }
}

void Uploader::all_is_done() {
  for (Slot& slot : slots_) slot.in_flight = false;
}

}  // namespace tandem::cuda
