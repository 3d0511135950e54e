// ElementJudge: the figures of one pair of tensors, gathered element by
// element.
#pragma once

#include <tandem/compare/comparison.h>

#include <span>

namespace tandem::compare {

class ElementJudge {
 public:
  explicit ElementJudge(const Criterion& criterion) : criterion_(criterion) {}

  void judge(std::size_t index, double expected, double actual);

  /// Puts the figures into `result`, whose shapes are set.
  void finish(std::span<const double> expected, std::span<const double> actual,
              TensorComparison& result) const;

 private:
  void need_tolerance(double absolute, double expected);

  Criterion criterion_;
  std::size_t count_ = 0;
  std::size_t mismatches_ = 0;
  std::size_t nonfinite_ = 0;
  double worst_ratio_ = 0;
  std::size_t worst_index_ = 0;
  double passing_relative_tolerance_ = 0;
  double largest_difference_ = 0;
  double largest_expected_ = 0;
};

}  // namespace tandem::compare
