#include "cuda/executor.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "cuda/canonical_nan.h"
#include "cuda/status_names.h"

namespace tandem::cuda {
namespace {

// Up to here one copy in, of both operands, beats anything cleverer.
constexpr std::size_t short_way_bytes = std::size_t{512} << 10;

// A smaller result is copied once more rather than hold pinned memory.
constexpr std::size_t smallest_pinned_result = std::size_t{16} << 10;

std::size_t saturating_add(std::size_t total, std::size_t more) {
  return more > SIZE_MAX - total ? SIZE_MAX : total + more;
}

std::size_t total_bytes(const PackedSizes& sizes) {
  return sizes.left_bytes() + sizes.right_bytes() + sizes.out_bytes();
}

Product part_of(const Product& product, const Chunk& chunk) {
  return {chunk.batches, chunk.rows, product.columns, product.inner,
          product.alpha};
}

// The chunk's first element in each packed array.
PackedSizes offsets_of(const Product& product, const Chunk& chunk) {
  const std::size_t row = chunk.first_batch * product.rows + chunk.first_row;
  return {row * product.inner,
          chunk.first_batch * product.inner * product.columns,
          row * product.columns};
}

ExecutionError unusable_after(abi::RuntimeStatus status) {
  return ExecutionError(
      ExecutionStage::synchronize,
      "cuda: executor is unusable: the device did not come to rest after a "
      "failed request: " +
          describe(status),
      static_cast<int>(status), name_of(status));
}

}  // namespace

Executor::Executor(const Api& api, std::size_t ordinal, std::size_t pool_limit)
    : device_(Device::open(api, ordinal)),
      device_pool_(std::make_shared<DevicePool>(device_, pool_limit)),
      pinned_pool_(std::make_shared<PinnedPool>(device_, pool_limit)) {
  CurrentDevice current(*device_);
  try {
    engine_.emplace(device_);
    uploader_.emplace(device_, *engine_, pinned_pool_);
    nan_check_.emplace(*engine_, *device_pool_, *pinned_pool_);
    short_way_ = ShortWay{device_pool_->take(short_way_bytes),
                          pinned_pool_->take(short_way_bytes)};
  } catch (...) {
    // Reported here; it must not meet the next caller of CUDA.
    device_->runtime().last_error();
    release_everything();
    throw;
  }
  current.leave();
}

// While the device is current: its way out is open.
void Executor::release_everything() {
  short_way_.reset();
  nan_check_.reset();
  uploader_.reset();
  engine_.reset();
  release_unused_memory();
}

std::shared_ptr<const Storage> Executor::multiply(const Product& product,
                                                  const Operand& left,
                                                  const Operand& right) {
  device_->require_usable();
  const std::lock_guard<std::mutex> lock(request_mutex_);
  require_working();
  CurrentDevice current(*device_);
  Holdings held{left.owner, right.owner};
  std::shared_ptr<const Storage> result;
  try {
    result = run(product, left, right, held);
  } catch (...) {
    recover(held);
    throw;
  }
  current.leave();
  return result;
}

std::shared_ptr<const Storage> Executor::run(const Product& product,
                                             const Operand& left,
                                             const Operand& right,
                                             Holdings& held) {
  const bool small = total_bytes(packed_sizes(product)) <= short_way_bytes;
  const std::vector<Chunk> chunks =
      small ? std::vector<Chunk>(1) : chunks_of(product);
  auto result = small ? multiply_small(product, left, right, held)
                      : multiply_in_chunks(product, chunks, left, right, held);
  count(product, chunks.size());
  return result;
}

std::shared_ptr<const Storage> Executor::multiply_small(const Product& product,
                                                        const Operand& left,
                                                        const Operand& right,
                                                        Holdings& held) {
  const PackedSizes sizes = packed_sizes(product);
  constexpr auto lane = Engine::Lane::compute;
  auto* host = static_cast<double*>(short_way_->host->data());
  auto* device = static_cast<double*>(short_way_->device->data());
  left.source.pack(0, sizes.left, host);
  right.source.pack(0, sizes.right, host + sizes.left);
  const std::size_t in = sizes.left + sizes.right;
  const bool pinned = sizes.out_bytes() >= smallest_pinned_result;
  std::shared_ptr<Storage> result =
      pinned ? take_result(sizes.out, held) : Storage::allocate(sizes.out);
  double* landing = pinned ? result->writable() : host + in;
  // The product's last step may be its way over the bus: one copy less.
  const bool lands_itself = device_->reaches_pinned_memory();
  double* product_at = lands_itself ? landing : device + in;
  engine_->copy_to_device(device, host, in * sizeof(double), lane);
  engine_->multiply(product, device, device + sizes.left, product_at);
  if (!lands_itself)
    engine_->copy_to_host(landing, product_at, sizes.out_bytes(), lane);
  engine_->wait(lane);
  if (!pinned) std::memcpy(result->writable(), landing, sizes.out_bytes());
  // Read while it is still near; to ask the device first would cost more.
  store_canonical_nans(result->writable(), sizes.out);
  return result;
}

std::shared_ptr<const Storage> Executor::multiply_in_chunks(
    const Product& product, const std::vector<Chunk>& chunks,
    const Operand& left, const Operand& right, Holdings& held) {
  const PackedSizes sizes = packed_sizes(product);
  double* device =
      take_device_memory(sizes.left + sizes.right + sizes.out, held);
  std::shared_ptr<Storage> result = take_result(sizes.out, held);
  std::vector<Transfer> transfers;
  std::vector<std::size_t> transfers_until;  // one for each chunk
  for (const Chunk& chunk : chunks) {
    add_transfers(product, chunk, left, right, device, transfers);
    transfers_until.push_back(transfers.size());
  }
  std::size_t next = 0;
  uploader_->upload(transfers, [&](std::size_t transfer) {
    if (transfer + 1 != transfers_until[next]) return;
    queue(product, chunks[next++], device, result->writable());
  });
  nan_check_->ask(device + sizes.left + sizes.right, sizes.out);
  // Everything else was ordered before the last copy out.
  engine_->wait(Engine::Lane::out);
  uploader_->all_is_done();
  if (nan_check_->may_hold_nan())
    store_canonical_nans(result->writable(), sizes.out);
  return result;
}

// What the device has to have before it can work on the chunk.
void Executor::add_transfers(const Product& product, const Chunk& chunk,
                             const Operand& left, const Operand& right,
                             double* on_device,
                             std::vector<Transfer>& transfers) {
  const PackedSizes part = packed_sizes(part_of(product, chunk));
  const PackedSizes at = offsets_of(product, chunk);
  double* device_right = on_device + packed_sizes(product).left;
  if (chunk.first_row == 0) {
    transfers.push_back(
        {&right, at.right, part.right, device_right + at.right});
  }
  transfers.push_back({&left, at.left, part.left, on_device + at.left});
}

void Executor::queue(const Product& product, const Chunk& chunk,
                     double* on_device, double* result) {
  using Lane = Engine::Lane;
  const PackedSizes sizes = packed_sizes(product);
  const PackedSizes at = offsets_of(product, chunk);
  const Product part = part_of(product, chunk);
  const double* device_right = on_device + sizes.left + at.right;
  double* device_out = on_device + sizes.left + sizes.right + at.out;
  engine_->order(Lane::in, Lane::compute);
  engine_->multiply(part, on_device + at.left, device_right, device_out);
  engine_->order(Lane::compute, Lane::out);
  engine_->copy_to_host(result + at.out, device_out,
                        packed_sizes(part).out_bytes(), Lane::out);
}

double* Executor::take_device_memory(std::size_t elements, Holdings& held) {
  const auto buffer = device_pool_->take(elements * sizeof(double));
  held.push_back(buffer);
  return static_cast<double*>(buffer->data());
}

std::shared_ptr<Storage> Executor::take_result(std::size_t elements,
                                               Holdings& held) {
  const auto buffer = pinned_pool_->take(elements * sizeof(double));
  held.push_back(buffer);
  return Storage::adopt(static_cast<double*>(buffer->data()), elements, buffer);
}

void Executor::require_working() const {
  if (unusable_) throw ExecutionError(*unusable_);
}

// No buffer goes back to a pool while the device may still write to it.
void Executor::recover(Holdings& held) {
  const abi::RuntimeStatus status = engine_->drain();
  uploader_->all_is_done();
  if (status == abi::RuntimeStatus::success) return;
  unusable_ = unusable_after(status);
  abandoned_.push_back(std::move(held));
}

void Executor::count(const Product& product, std::size_t requests) {
  const PackedSizes sizes = packed_sizes(product);
  const std::lock_guard<std::mutex> lock(stats_mutex_);
  stats_.gemm_requests = saturating_add(stats_.gemm_requests, requests);
  stats_.host_to_device_bytes = saturating_add(
      stats_.host_to_device_bytes, sizes.left_bytes() + sizes.right_bytes());
  stats_.device_to_host_bytes =
      saturating_add(stats_.device_to_host_bytes, sizes.out_bytes());
}

ExecutionStats Executor::stats() const {
  const std::lock_guard<std::mutex> lock(stats_mutex_);
  return stats_;
}

void Executor::release_unused_memory() {
  device_pool_->release_unused();
  pinned_pool_->release_unused();
}

}  // namespace tandem::cuda
