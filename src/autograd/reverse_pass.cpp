#include "autograd/reverse_pass.h"

#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <string>
#include <utility>

#include "autograd/finite.h"

namespace tandem::autograd {
namespace {

[[noreturn]] void reject(const std::string& why) {
  throw GraphError("backward: " + why);
}

void check_contributions(const Body& body, const Contributions& contributions) {
  if (contributions.size() != body.operands.size()) {
    reject("contribution count differs: " + std::string(body.name) + " has " +
           std::to_string(body.operands.size()) + " operands, gave " +
           std::to_string(contributions.size()));
  }
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const Shape& shape = body.operands[i].node->shape();
    if (contributions[i] && !(contributions[i]->shape() == shape)) {
      reject("contribution shape differs: " + std::string(body.name) +
             " operand " + std::to_string(i) + " is " + to_string(shape) +
             ", contribution is " + to_string(contributions[i]->shape()));
    }
  }
}

// Zeros and a value differ from the value only where it is -0.
Tensor add_to_zeros(const TensorView& contribution) {
  if (contribution.is_contiguous() && !has_negative_zero(contribution)) {
    return contribution.materialize();
  }
  return tandem::add(0.0, contribution);
}

}  // namespace

void Adjoint::add(const TensorView& contribution, const char* operation) {
  Tensor sum =
      sum_ ? tandem::add(*sum_, contribution) : add_to_zeros(contribution);
  if (const auto index = first_nonfinite(sum)) {
    throw NonfiniteError(std::string(operation) + " reverse", *index,
                         sum.values()[*index]);
  }
  sum_ = std::move(sum);
}

Tensor Adjoint::take() {
  Tensor sum = *std::move(sum_);
  sum_.reset();
  return sum;
}

ReversePass::ReversePass(std::shared_ptr<Node> output, Graph graph)
    : output_(std::move(output)), graph_(graph) {}

ReversePass::~ReversePass() {
  if (graph_ == Graph::retain) return;
  for (const Visit& visit : visits_) {
    if (!visit.node->is_parameter()) visit.node->release();
  }
}

void ReversePass::run(const TensorView& seed,
                      const ExecutionContext& execution) {
  check_output();
  order_visits();
  check_ancestors();
  check_seed(seed);
  check_versions();
  check_precisions(execution);
  visits_.front().adjoint.add(seed, "seed");
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    Visit& visit = visits_[*at];
    if (visit.body && !visit.adjoint.is_empty()) propagate(visit, execution);
  }
  store_gradients();
}

void ReversePass::check_output() const {
  if (output_->is_released()) reject("graph was released: the output's");
  if (!output_->is_tracked()) {
    reject("output is untracked: no parameter can be reached from it");
  }
}

void ReversePass::order_visits() {
  std::vector<std::size_t> path{enter(output_)};
  while (!path.empty()) {
    Visit& visit = visits_[path.back()];
    const std::size_t count = visit.body ? visit.body->operands.size() : 0;
    if (visit.operands.size() == count) {
      order_.push_back(path.back());
      path.pop_back();
      continue;
    }
    const auto& node = visit.body->operands[visit.operands.size()].node;
    if (!node->is_tracked()) {
      visit.operands.push_back(untracked);
      continue;
    }
    const auto [known, is_new] = index_.try_emplace(node.get(), visits_.size());
    visit.operands.push_back(known->second);
    if (is_new) path.push_back(enter(node));
  }
}

std::size_t ReversePass::enter(const std::shared_ptr<Node>& node) {
  visits_.push_back({node, node->body(), node->snapshot(), {}, {}});
  return visits_.size() - 1;
}

void ReversePass::check_ancestors() const {
  for (const Visit& visit : visits_) {
    if (visit.body || visit.node->is_parameter()) continue;
    reject("graph was released: that of an operand of shape " +
           to_string(visit.node->shape()));
  }
}

void ReversePass::check_seed(const TensorView& seed) const {
  if (!(seed.shape() == output_->shape())) {
    throw ShapeError("backward: seed shape differs: output is " +
                     to_string(output_->shape()) + ", seed is " +
                     to_string(seed.shape()));
  }
  check_finite(seed, "backward: seed");
}

void ReversePass::check_versions() const {
  for (const Visit& visit : visits_) {
    if (!visit.body) continue;
    for (std::size_t i = 0; i < visit.operands.size(); ++i) {
      const Edge& edge = visit.body->operands[i];
      if (!edge.node->is_parameter()) continue;
      const std::uint64_t now = visits_[visit.operands[i]].snapshot.version;
      if (edge.version != now) {
        reject("parameter was updated since its value was used: " +
               std::string(visit.body->name) + " used version " +
               std::to_string(edge.version) + ", now it is " +
               std::to_string(now));
      }
    }
  }
}

void ReversePass::check_precisions(const ExecutionContext& execution) const {
  for (const Visit& visit : visits_) {
    if (!visit.body) continue;
    const MatmulPrecision recorded = visit.body->precision;
    if (recorded == execution.matmul_precision()) continue;
    // Refused here, before any work, where the device cannot do it.
    execution.with_matmul_precision(recorded);
  }
}

void ReversePass::propagate(Visit& visit, const ExecutionContext& execution) {
  const Body& body = *visit.body;
  std::vector<TensorView> operands;
  ReverseCall call{visit.adjoint.take(),
                   {},
                   visit.snapshot.value,
                   execution.with_matmul_precision(body.precision)
                       .at(body.scope, Pass::reverse),
                   {}};
  for (std::size_t i = 0; i < visit.operands.size(); ++i) {
    call.needed.push_back(visit.operands[i] != untracked);
    operands.push_back(operand_value(visit, i));
  }
  call.operands = operands;
  const Contributions contributions = body.reverse(call);
  check_contributions(body, contributions);
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    if (!call.needed[i] || !contributions[i]) continue;
    visits_[visit.operands[i]].adjoint.add(*contributions[i], body.name);
  }
}

// A parameter's value is the one this pass saw first, whatever becomes of it.
TensorView ReversePass::operand_value(const Visit& visit,
                                      std::size_t operand) const {
  const std::size_t at = visit.operands[operand];
  return at == untracked ? visit.body->operands[operand].node->snapshot().value
                         : visits_[at].snapshot.value;
}

void ReversePass::store_gradients() {
  GradientCommit commit;
  for (Visit& visit : visits_) {
    if (visit.node->is_parameter() && !visit.adjoint.is_empty()) {
      commit.add(visit.node, visit.adjoint.take());
    }
  }
  commit.store();
}

}  // namespace tandem::autograd
