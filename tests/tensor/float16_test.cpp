// The 16-bit formats against a table of what each code is worth: the nearest
// code is found by exact comparison with the midpoint of two neighbours.
// TANDEM_EXHAUSTIVE=1 tries all f32 values and a billion f64 values.
#include <gtest/gtest.h>
#include <tandem/tensor/float16.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace tandem {
namespace {

// What code `i` of an unsigned format is worth, by the definition.
double worth(int code, int fraction_bits) {
  const int exponent_bits = 15 - fraction_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = code >> fraction_bits;
  const int fraction = code & ((1 << fraction_bits) - 1);
  const int implicit = exponent == 0 ? 0 : 1 << fraction_bits;
  return std::ldexp(fraction + implicit,
                    std::max(exponent, 1) - bias - fraction_bits);
}

// The code of infinity has the worth of the next power of two here: that is
// where rounding sees it.
class Oracle {
 public:
  explicit Oracle(int fraction_bits)
      : infinity_(0x7fff >> fraction_bits << fraction_bits) {
    for (int code = 0; code <= infinity_; ++code) {
      worths_.push_back(worth(code, fraction_bits));
    }
  }

  int infinity() const { return infinity_; }
  double worth_of(int code) const {
    return worths_[static_cast<std::size_t>(code)];
  }

  // Of a value that is not NaN.
  std::uint16_t nearest(double value) const {
    const int sign = std::signbit(value) ? 0x8000 : 0;
    return static_cast<std::uint16_t>(sign | nearest_code(std::fabs(value)));
  }

 private:
  int nearest_code(double magnitude) const {
    if (magnitude >= worths_.back()) return infinity_;
    const auto above =
        std::upper_bound(worths_.begin(), worths_.end(), magnitude);
    const int low = static_cast<int>(above - worths_.begin()) - 1;
    const double middle = (worth_of(low) + worth_of(low + 1)) / 2;
    if (magnitude != middle) return magnitude < middle ? low : low + 1;
    return low % 2 == 0 ? low : low + 1;
  }

  int infinity_;
  std::vector<double> worths_;
};

struct F16 {
  using Type = Float16;
  static constexpr int fraction_bits = 10;
};
struct Bf16 {
  using Type = Bfloat16;
  static constexpr int fraction_bits = 7;
};

template <typename Format>
class SixteenBits : public testing::Test {
 protected:
  static std::uint16_t narrow(double value) {
    return Format::Type::from_double(value).bits;
  }
  static double widen(int code) {
    return typename Format::Type{static_cast<std::uint16_t>(code)}.to_double();
  }

  // Not an EXPECT for each value: there are billions.
  void try_value(double value) {
    if (std::isnan(value)) {
      if ((narrow(value) & 0x7fff) <= oracle_.infinity()) ++wrong_;
    } else if (narrow(value) != oracle_.nearest(value)) {
      if (wrong_++ == 0) ADD_FAILURE() << "first wrong value: " << value;
    }
  }

  const Oracle oracle_{Format::fraction_bits};
  std::uint64_t wrong_ = 0;
};

bool exhaustive() { return std::getenv("TANDEM_EXHAUSTIVE") != nullptr; }

using Formats = testing::Types<F16, Bf16>;
TYPED_TEST_SUITE(SixteenBits, Formats);

TYPED_TEST(SixteenBits, WidensEveryCodeToWhatItIsWorth) {
  for (int code = 0; code < this->oracle_.infinity(); ++code) {
    const double expected = this->oracle_.worth_of(code);
    ASSERT_EQ(this->widen(code), expected) << code;
    ASSERT_EQ(this->widen(code | 0x8000), -expected) << code;
    ASSERT_TRUE(std::signbit(this->widen(code | 0x8000))) << code;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(this->widen(this->oracle_.infinity()), infinity);
  EXPECT_EQ(this->widen(this->oracle_.infinity() | 0x8000), -infinity);
}

TYPED_TEST(SixteenBits, BringsEveryCodeBackAndOnlyQuietensNans) {
  const int quiet = 1 << (TypeParam::fraction_bits - 1);
  for (int code = 0; code < 0x10000; ++code) {
    const bool is_nan = (code & 0x7fff) > this->oracle_.infinity();
    ASSERT_EQ(std::isnan(this->widen(code)), is_nan) << code;
    ASSERT_EQ(this->narrow(this->widen(code)), is_nan ? code | quiet : code);
  }
}

TYPED_TEST(SixteenBits, RoundsEveryTieToEvenAndItsNeighboursToNearest) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (int code = 0; code < this->oracle_.infinity(); ++code) {
    const double tie =
        (this->oracle_.worth_of(code) + this->oracle_.worth_of(code + 1)) / 2;
    for (const double value :
         {std::nextafter(tie, 0.0), tie, std::nextafter(tie, infinity)}) {
      this->try_value(value);
      this->try_value(-value);
    }
  }
  EXPECT_EQ(this->wrong_, 0u);
}

TYPED_TEST(SixteenBits, RoundsSinglePrecisionValuesToNearest) {
  const std::uint64_t step = exhaustive() ? 1 : 10007;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += step) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    this->try_value(static_cast<double>(value));
  }
  EXPECT_EQ(this->wrong_, 0u);
}

TYPED_TEST(SixteenBits, RoundsDoublePrecisionValuesToNearest) {
  std::mt19937_64 random(16);
  const std::uint64_t count = exhaustive() ? 1'000'000'000 : 300'000;
  for (std::uint64_t done = 0; done < count; ++done) {
    // Two of three have an exponent in or near the formats' ranges.
    std::uint64_t bits = random();
    if (done % 3 != 0) {
      const std::uint64_t exponent = done % 3 == 1
                                         ? 1023 - 30 + random() % 50
                                         : 1023 - 140 + random() % 280;
      bits = (bits & 0x800fffffffffffffULL) | exponent << 52;
    }
    this->try_value(std::bit_cast<double>(bits));
  }
  EXPECT_EQ(this->wrong_, 0u);
}

TYPED_TEST(SixteenBits, GoesToInfinityOnlyFromTheLastMidpointOn) {
  const int infinity = this->oracle_.infinity();
  const double last = this->oracle_.worth_of(infinity - 1);
  const double limit = last + (last - this->oracle_.worth_of(infinity - 2)) / 2;
  EXPECT_EQ(this->narrow(limit), infinity);
  EXPECT_EQ(this->narrow(std::nextafter(limit, 0.0)), infinity - 1);
  EXPECT_EQ(this->narrow(std::numeric_limits<double>::max()), infinity);
}

TEST(Float16, RoundsIntoTheSubnormalsToEven) {
  EXPECT_EQ(Float16::from_double(std::ldexp(1543, -25)).bits, 0x0304);
  EXPECT_EQ(Float16::from_double(std::ldexp(1541, -25)).bits, 0x0302);
  EXPECT_EQ(Float16::from_double(std::ldexp(1.5, -24)).bits, 0x0002);
  EXPECT_EQ(Float16::from_double(std::ldexp(1, -26)).bits, 0x0000);
}

// By way of f32 this value would first become the tie 1 + 2^-11, then 1.
TEST(Float16, RoundsOnceAndNotByWayOfSinglePrecision) {
  const double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(Float16::from_double(value).bits, 0x3c01);
}

TEST(Bfloat16, RoundsOnceAndNotByWayOfSinglePrecision) {
  const double value = 1 + std::ldexp(1, -8) + std::ldexp(1, -40);
  EXPECT_EQ(Bfloat16::from_double(value).bits, 0x3f81);
}

TEST(Bfloat16, KeepsNansOfEveryPayload) {
  for (const std::uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u}) {
    const double value = static_cast<double>(std::bit_cast<float>(bits));
    EXPECT_TRUE(std::isnan(Bfloat16::from_double(value).to_double())) << bits;
  }
}

TEST(Bfloat16, RoundsToNearestAndDoesNotTruncate) {
  const double largest = static_cast<double>(std::numeric_limits<float>::max());
  EXPECT_EQ(Bfloat16::from_double(largest).bits, 0x7f80);
  EXPECT_EQ(Bfloat16::from_double(3.3895e38).bits, 0x7f7f);
  EXPECT_EQ(Bfloat16::from_double(0.2691408770292272).bits, 0x3e8a);
  EXPECT_EQ(Bfloat16::from_double(1 + std::ldexp(1, -8)).bits, 0x3f80);
  EXPECT_EQ(Bfloat16::from_double(1 + std::ldexp(3, -8)).bits, 0x3f82);
}

}  // namespace
}  // namespace tandem
