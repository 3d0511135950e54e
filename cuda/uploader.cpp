#include "cuda/uploader.h"

#include <algorithm>
#include <utility>

#include "cpu/thread_pool.h"
#include "cuda/upload_run.h"

namespace tandem::cuda {
namespace {

// Together they hold what every thread packs, and what is on the bus.
constexpr std::size_t most_slots = 12;

}  // namespace

Uploader::Uploader(std::shared_ptr<const Device> device, Engine& engine,
                   std::shared_ptr<PinnedPool> pool)
    : device_(std::move(device)), engine_(engine), pool_(std::move(pool)) {}

void Uploader::upload(const std::vector<Transfer>& transfers,
                      const Queued& queued) {
  UploadRun run(*this, transfers, queued);
  cpu::parallel_for(run.share_count(), 0,
                    [&](std::size_t share) { run.work_on(share); });
}

void Uploader::make_slots(std::size_t wanted) {
  while (slots_.size() < std::min(wanted, most_slots)) {
    slots_.push_back(
        {pool_->take(uploader_slot_bytes), engine_.make_marker(), false});
  }
}

void Uploader::all_is_done() {
  for (Slot& slot : slots_) slot.in_flight = false;
}

}  // namespace tandem::cuda
