// FloatingPointScope against environments that a caller may have set.
#include "cpu/floating_point.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tandem::cpu {
namespace {

// Calls are opaque, so no division moves across the environment's change.
__attribute__((noinline)) double quotient(volatile double& numerator,
                                          volatile double& denominator) {
  volatile double result = numerator / denominator;
  return result;
}

volatile double one = 1.0;
volatile double three = 3.0;
volatile double smallest_normal = std::numeric_limits<double>::min();

TEST(FloatingPointScope, RoundsToNearestAndGivesTheRoundingModeBack) {
  const double nearest = quotient(one, three);
  std::fesetround(FE_UPWARD);
  const double upward = quotient(one, three);
  double inside = 0;
  {
    const FloatingPointScope scope;
    inside = quotient(one, three);
  }
  const double after = quotient(one, three);
  std::fesetround(FE_TONEAREST);
  EXPECT_NE(upward, nearest);
  EXPECT_EQ(inside, nearest);
  EXPECT_EQ(after, upward);
}

#if defined(__x86_64__)
TEST(FloatingPointScope, KeepsSubnormalsAndGivesFlushToZeroBack) {
  const unsigned original = _mm_getcsr();
  _mm_setcsr(original | 0x8040);
  const double flushed = quotient(smallest_normal, three);
  double inside = 0;
  {
    const FloatingPointScope scope;
    inside = quotient(smallest_normal, three);
  }
  const double after = quotient(smallest_normal, three);
  _mm_setcsr(original);
  EXPECT_EQ(flushed, 0.0);
  EXPECT_GT(inside, 0.0);
  EXPECT_EQ(after, 0.0);
}
#endif

}  // namespace
}  // namespace tandem::cpu
