// UploadRun: one upload, as tasks that any number of threads may work on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/uploader.h"

namespace tandem::cuda {

/// Transfers are cut into pieces, each sent by one copy out of one slot, and
/// pieces into shares, each packed by one thread. Threads take shares in order
/// and never wait for a share that nobody has taken; the last to pack a share
/// of a piece queues every piece that is due.
class UploadRun {
 public:
  UploadRun(Uploader& uploader, const std::vector<Transfer>& transfers,
            const Queued& queued);

  std::size_t share_count() const { return shares_.size(); }
  /// Works on one share. Where it throws, all other shares return at once.
  void work_on(std::size_t share);

 private:
  struct Piece {
    std::size_t transfer;
    std::size_t begin;  // in the transfer
    std::size_t count;
    bool is_staged;
    std::size_t staged_before;  // the slot is this, modulo their number
    std::size_t shares_left = 0;
    bool slot_asked_for = false;
    bool slot_free = false;
  };
  struct Share {
    std::size_t piece;
    std::size_t from;  // in the piece
    std::size_t to;
  };
  using Lock = std::unique_lock<std::mutex>;

  void cut(std::size_t transfer, bool is_staged);
  void add_piece(const Piece& piece, std::size_t grain);
  Uploader::Slot& slot_of(const Piece& piece) const;
  double* staging_of(const Piece& piece) const;
  bool await_slot(Piece& piece);
  void finish_share(Piece& piece);
  void queue(const Piece& piece);
  void fail() noexcept;

  Uploader& uploader_;
  const std::vector<Transfer>& transfers_;
  const Queued& queued_;
  std::vector<Piece> pieces_;
  std::vector<Share> shares_;
  std::size_t staged_ = 0;

  std::mutex mutex_;  // guards the pieces' progress and all below
  std::condition_variable progress_;
  std::size_t queued_pieces_ = 0;
  bool failed_ = false;
};

}  // namespace tandem::cuda
