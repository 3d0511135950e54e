#include "cuda/nan_check.h"

#include <limits>

namespace tandem::cuda {
namespace {

// The host reads what the bus has just brought at some 10 GB/s: this much in
// the time that the native calls of a question take. Less is read as quickly.
constexpr std::size_t largest_read_by_host = std::size_t{128} << 10;

}  // namespace

NanCheck::NanCheck(Engine& engine, DevicePool& device_pool,
                   PinnedPool& pinned_pool)
    : engine_(engine),
      sum_(device_pool.take(sizeof(double))),
      answer_(pinned_pool.take(sizeof(double))) {}

void NanCheck::ask(const double* on_device, std::size_t count) {
  using Lane = Engine::Lane;
  // Whatever was not answered may be NaN.
  *answer() = std::numeric_limits<double>::quiet_NaN();
  if (count * sizeof(double) <= largest_read_by_host) return;
  auto* sum = static_cast<double*>(sum_->data());
  engine_.sum_magnitudes(on_device, count, sum);
  engine_.order(Lane::compute, Lane::out);
  engine_.copy_to_host(answer(), sum, sizeof(double), Lane::out);
}

bool NanCheck::may_hold_nan() const { return *answer() != *answer(); }

}  // namespace tandem::cuda
