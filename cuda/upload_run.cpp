#include "cuda/upload_run.h"

#include <algorithm>

namespace tandem::cuda {
namespace {

constexpr std::size_t piece_elements = uploader_slot_bytes / sizeof(double);

// One thread's share: long enough to copy at full speed, short enough that the
// last one is not waited for.
constexpr std::size_t share_elements = piece_elements / 8;

// Rows that a transposed operand packs together.
constexpr std::size_t rows_together = 8;

// A share that begins with a whole group of rows packs fastest.
std::size_t aligned_share(const StridedSource& source) {
  const std::size_t unit = source.row_length() <= share_elements / rows_together
                               ? source.row_length() * rows_together
                               : 1;
  return share_elements / unit * unit;
}

}  // namespace

UploadRun::UploadRun(Uploader& uploader, const std::vector<Transfer>& transfers,
                     const Queued& queued)
    : uploader_(uploader), transfers_(transfers), queued_(queued) {
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const Operand& operand = *transfers[i].operand;
    cut(i,
        !(operand.source.is_packed() && uploader.pool_->owns(operand.owner)));
  }
  uploader.make_slots(staged_);
}

void UploadRun::cut(std::size_t transfer, bool is_staged) {
  const Transfer& whole = transfers_[transfer];
  if (!is_staged) {
    add_piece({transfer, 0, whole.count, false, 0}, whole.count);
    return;
  }
  const std::size_t grain = aligned_share(whole.operand->source);
  const std::size_t most = piece_elements / grain * grain;
  for (std::size_t begin = 0; begin < whole.count; begin += most) {
    const std::size_t count = std::min(most, whole.count - begin);
    add_piece({transfer, begin, count, true, staged_++}, grain);
  }
}

void UploadRun::add_piece(const Piece& piece, std::size_t grain) {
  pieces_.push_back(piece);
  for (std::size_t from = 0; from < piece.count; from += grain) {
    const std::size_t to = std::min(from + grain, piece.count);
    shares_.push_back({pieces_.size() - 1, from, to});
    ++pieces_.back().shares_left;
  }
}

Uploader::Slot& UploadRun::slot_of(const Piece& piece) const {
  return uploader_.slots_[piece.staged_before % uploader_.slots_.size()];
}

double* UploadRun::staging_of(const Piece& piece) const {
  return static_cast<double*>(slot_of(piece).memory->data());
}

void UploadRun::work_on(std::size_t number) {
  const Share& share = shares_[number];
  Piece& piece = pieces_[share.piece];
  try {
    if (piece.is_staged) {
      if (!await_slot(piece)) return;
      const Transfer& transfer = transfers_[piece.transfer];
      transfer.operand->source.pack(transfer.begin + piece.begin + share.from,
                                    share.to - share.from,
                                    staging_of(piece) + share.from);
    }
    finish_share(piece);
  } catch (...) {
    fail();
    throw;
  }
}

// The piece that had the slot before must have left it: the first thread that
// comes waits for the bus, the others for that thread.
bool UploadRun::await_slot(Piece& piece) {
  const std::size_t slots = uploader_.slots_.size();
  Lock lock(mutex_);
  if (!piece.slot_asked_for) {
    piece.slot_asked_for = true;
    progress_.wait(lock, [&] {
      return failed_ || piece.staged_before < slots + queued_pieces_;
    });
    Uploader::Slot& slot = slot_of(piece);
    if (!failed_ && slot.in_flight) {
      lock.unlock();
      CurrentDevice current(*uploader_.device_);
      uploader_.engine_.wait(slot.sent);
      current.leave();
      lock.lock();
      slot.in_flight = false;
    }
    piece.slot_free = true;
    progress_.notify_all();
  }
  progress_.wait(lock, [&] { return failed_ || piece.slot_free; });
  return !failed_;
}

void UploadRun::finish_share(Piece& piece) {
  const Lock lock(mutex_);
  if (--piece.shares_left > 0 || failed_) return;
  CurrentDevice current(*uploader_.device_);
  while (queued_pieces_ < pieces_.size() &&
         pieces_[queued_pieces_].shares_left == 0) {
    queue(pieces_[queued_pieces_]);
    ++queued_pieces_;
  }
  current.leave();
  progress_.notify_all();
}

void UploadRun::queue(const Piece& piece) {
  const Transfer& transfer = transfers_[piece.transfer];
  const double* from = piece.is_staged
                           ? staging_of(piece)
                           : transfer.operand->source.first() + transfer.begin;
  Engine& engine = uploader_.engine_;
  if (piece.is_staged) slot_of(piece).in_flight = true;
  engine.copy_to_device(transfer.device + piece.begin, from,
                        piece.count * sizeof(double), Engine::Lane::in);
  if (piece.is_staged) engine.mark(slot_of(piece).sent, Engine::Lane::in);
  if (piece.begin + piece.count == transfer.count) queued_(piece.transfer);
}

void UploadRun::fail() noexcept {
  const Lock lock(mutex_);
  failed_ = true;
  progress_.notify_all();
}

}  // namespace tandem::cuda
