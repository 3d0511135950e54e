// Sums, means and maxima of every size, axis and layout against plain loops.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include "support/bits.h"
#include "support/devices.h"
#include "support/operand_layouts.h"

namespace tandem::test {
namespace {

using Extents = std::vector<std::size_t>;

// The values as [outer, extent, inner], so that a group is a walk by `inner`.
struct Groups {
  std::size_t outer = 1;
  std::size_t extent;
  std::size_t inner = 1;

  Groups(const Shape& shape, std::size_t axis) : extent(shape[axis]) {
    for (std::size_t i = 0; i < shape.rank(); ++i) {
      if (i < axis) outer *= shape[i];
      if (i > axis) inner *= shape[i];
    }
  }

  template <class Group>
  std::vector<double> map(const std::vector<double>& values,
                          Group group) const {
    std::vector<double> results;
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t i = 0; i < inner; ++i) {
        std::vector<double> members;
        for (std::size_t k = 0; k < extent; ++k) {
          members.push_back(values[(o * extent + k) * inner + i]);
        }
        results.push_back(group(members));
      }
    }
    return results;
  }
};

double sum_of(const std::vector<double>& members) {
  double sum = 0.0;
  for (const double member : members) sum = sum + member;
  return sum;
}

double mean_of(const std::vector<double>& members) {
  return sum_of(members) / static_cast<double>(members.size());
}

double max_of(const std::vector<double>& members) {
  double best = members[0];
  for (const double member : members) {
    if (member > best) best = member;
  }
  return best;
}

Shape reduced_shape(const Shape& shape, std::size_t axis, bool keep) {
  Extents extents(shape.begin(), shape.end());
  if (keep) {
    extents[axis] = 1;
  } else {
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
  }
  return Shape(extents);
}

class ReductionSweep : public DeviceTest {
 protected:
  // Calls check(operand, shape, axis, keep) for every combination.
  template <class Check>
  void sweep(Check check) {
    TestValues values(
        rounds_as_specified() ? ValueKind::rounding : ValueKind::integer, 7);
    const Extents sizes{0, 1, 2, 3, 5, 9, 33};
    for (const std::size_t rows : sizes) {
      for (const std::size_t columns : sizes) {
        for (const OperandLayout layout : all_layouts()) {
          const Shape shape{3, rows, columns};
          const Operand operand = make_operand(layout, shape, values);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            SCOPED_TRACE(to_string(shape) + " " + to_string(layout));
            check(operand, shape, axis, (rows + columns + axis) % 2 == 0);
          }
          ASSERT_TRUE(operand.is_unchanged());
          if (HasFailure()) return;
        }
      }
    }
  }
};

TEST_P(ReductionSweep, SumsEqualPlainLoops) {
  sweep([&](const Operand& operand, const Shape& shape, std::size_t axis,
            bool keep) {
    const auto expected = Groups(shape, axis).map(operand.values, sum_of);
    const Shape reduced = reduced_shape(shape, axis, keep);
    const Tensor sum = context().sum_axis(operand.view, axis, keep);
    EXPECT_TRUE(rounds_as_specified() ? same_bits(sum, reduced, expected)
                                      : same_values(sum, reduced, expected));
  });
}

TEST_P(ReductionSweep, MeansEqualPlainLoops) {
  sweep([&](const Operand& operand, const Shape& shape, std::size_t axis,
            bool keep) {
    if (shape[axis] == 0) {
      EXPECT_THROW(context().mean_axis(operand.view, axis, keep), ShapeError);
      return;
    }
    const auto expected = Groups(shape, axis).map(operand.values, mean_of);
    const Shape reduced = reduced_shape(shape, axis, keep);
    const Tensor mean = context().mean_axis(operand.view, axis, keep);
    // A device scales by the rounded 1/K: two roundings beyond the quotient.
    EXPECT_TRUE(rounds_as_specified()
                    ? same_bits(mean, reduced, expected)
                    : close_to(mean, reduced, expected, 4.45e-16, 0.0));
  });
}

TEST_P(ReductionSweep, MaximaEqualPlainLoops) {
  sweep([&](const Operand& operand, const Shape& shape, std::size_t axis,
            bool keep) {
    if (shape[axis] == 0) {
      EXPECT_THROW(max_axis(operand.view, axis, keep, context()), ShapeError);
      return;
    }
    const auto expected = Groups(shape, axis).map(operand.values, max_of);
    EXPECT_TRUE(same_bits(max_axis(operand.view, axis, keep, context()),
                          reduced_shape(shape, axis, keep), expected));
  });
}

TANDEM_ON_EVERY_DEVICE(ReductionSweep);

}  // namespace
}  // namespace tandem::test
