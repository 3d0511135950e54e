// The mean negative log-likelihood of indexed targets, and its reverse.
#include <tandem/tensor/error.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/loop_nest.h"
#include "cpu/rules.h"
#include "cpu/scalar_functions.h"
#include "cpu/softmax_row.h"
#include "cpu/thread_pool.h"
#include "tensor/storage_access.h"

namespace tandem::cpu {
namespace {

// The logits as rows of classes, one a group, in row-major group order.
class Groups {
 public:
  Groups(const NllPlan& plan, const TensorView& logits)
      : classes_(logits.shape()[plan.axis()]) {
    const Shape& shape = logits.shape();
    Strides in = logits.strides();
    Strides out = row_major_strides(shape, plan.name());
    const std::ptrdiff_t in_step = in[plan.axis()];
    out_step_ = out[plan.axis()];
    in.erase(plan.axis());
    out.erase(plan.axis());
    rows_.reserve(plan.targets().size());
    const LoopNest<2> nest(shape.without_axis(plan.axis()), {&in, &out});
    nest.run([&](auto offsets, std::size_t count, const auto& jumps) {
      for (std::size_t i = 0; i < count; ++i) {
        rows_.push_back({StorageAccess::origin(logits) + offsets[0], in_step});
        out_offsets_.push_back(offsets[1]);
        offsets[0] += jumps[0];
        offsets[1] += jumps[1];
      }
    });
  }

  std::size_t count() const { return rows_.size(); }
  std::size_t classes() const { return classes_; }
  Row<const double> row(std::size_t group) const { return rows_[group]; }
  Row<double> row_of(double* output, std::size_t group) const {
    return {output + out_offsets_[group], out_step_};
  }

 private:
  std::size_t classes_;
  std::vector<Row<const double>> rows_;
  std::vector<std::ptrdiff_t> out_offsets_;
  std::ptrdiff_t out_step_;
};

void check_finite(const Groups& groups) {
  for (std::size_t group = 0; group < groups.count(); ++group) {
    const auto row = groups.row(group);
    for (std::size_t i = 0; i < groups.classes(); ++i) {
      if (!std::isfinite(row[i])) {
        throw NonfiniteError("indexed_mean_nll", group * groups.classes() + i,
                             row[i], "logit");
      }
    }
  }
}

// loss = (maximum - target logit) + log1p(tail)
struct Term {
  double maximum;
  double target;
  double log_tail;
};

double mean_of(const std::vector<Term>& terms) {
  const auto count = static_cast<double>(terms.size());
  double total = 0.0;
  for (const Term& term : terms) {
    total += (term.maximum - term.target) + term.log_tail;
  }
  if (std::isfinite(total)) return total / count;
  // The total is too large although the mean may not be: divide first.
  double mean = 0.0;
  for (const Term& term : terms) {
    const double gap = term.maximum - term.target;
    const double share = std::isfinite(gap)
                             ? gap / count
                             : term.maximum / count - term.target / count;
    mean += share + term.log_tail / count;
  }
  return mean;
}

// Calls function(group) for all groups, in no particular order.
template <class Function>
void for_each_group(const Groups& groups, std::size_t threads,
                    const Function& function) {
  constexpr std::size_t grain = 4096;  // elements worth waking a thread for
  parallel_chunks(
      groups.count(), std::max<std::size_t>(1, grain / groups.classes()),
      static_cast<unsigned>(threads), [&](std::size_t begin, std::size_t end) {
        for (auto group = begin; group < end; ++group) {
          function(group);
        }
      });
}

Tensor loss(const NllPlan& plan, const Groups& groups, std::size_t threads) {
  std::vector<Term> terms(groups.count());
  for_each_group(groups, threads, [&](std::size_t group) {
    const auto row = groups.row(group);
    const auto [maximum, tail] = summarize(row, groups.classes());
    terms[group] = {maximum, row[plan.targets()[group]], std::log1p(tail)};
  });
  return Tensor::scalar(positive_zero(mean_of(terms)));
}

Tensor reverse(const NllPlan& plan, const Groups& groups, double upstream,
               std::size_t threads) {
  TensorBuilder builder(plan.output_shape());
  const double share = upstream / static_cast<double>(groups.count());
  double* const output = builder.values();
  for_each_group(groups, threads, [&](std::size_t group) {
    const auto row = groups.row(group);
    const auto out = groups.row_of(output, group);
    const auto [maximum, tail] = summarize(row, groups.classes());
    for (std::size_t i = 0; i < groups.classes(); ++i) {
      const double p = std::exp(row[i] - maximum) / (1.0 + tail);
      const double one_hot = i == plan.targets()[group] ? 1.0 : 0.0;
      out[i] = positive_zero((p - one_hot) * share);
    }
  });
  return builder.finish();
}

}  // namespace

Tensor apply(const NllPlan& plan, Operands operands, const Choice& choice) {
  const Groups groups(plan, operands[0]);
  check_finite(groups);
  return plan.function() == Nll::loss
             ? loss(plan, groups, choice.threads)
             : reverse(plan, groups, *StorageAccess::origin(operands[1]),
                       choice.threads);
}

}  // namespace tandem::cpu
