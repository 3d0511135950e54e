#include "autograd/reverse_pass.h"

#include <tandem/tensor/error.h>

#include <string>
#include <utility>

#include "autograd/finite.h"
#include "tensor/storage_access.h"

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

}  // namespace

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
  visits_.front().adjoint.add(seed, "seed", execution);
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    Visit& visit = visits_[*at];
    if (visit.body && !visit.adjoint.is_empty()) propagate(visit, execution);
  }
  store_gradients(execution);
}

void ReversePass::check_output() const {
  if (output_->is_released()) reject("graph was released: the output's");
  if (!output_->is_tracked()) {
    reject("output is untracked: no parameter can be reached from it");
  }
}

void ReversePass::order_visits() {
  constexpr std::size_t usual_count = 128;  // a small decoder's
  visits_.reserve(usual_count);
  order_.reserve(usual_count);
  index_.reserve(usual_count);
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
  // The adjoint is all of its storage.
  const auto upstream = StorageAccess::storage(call.upstream);
  const Contributions contributions = body.reverse(call);
  check_contributions(body, contributions);
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    if (!call.needed[i] || !contributions[i]) continue;
    const TensorView& contribution = *contributions[i];
    Adjoint& adjoint = visits_[visit.operands[i]].adjoint;
    if (StorageAccess::storage(contribution) == upstream) {
      adjoint.add_settled(contribution, body.name, execution);
    } else {
      adjoint.add(contribution, body.name, execution);
    }
  }
}

// A parameter's value is the one this pass saw first, whatever becomes of it.
TensorView ReversePass::operand_value(const Visit& visit,
                                      std::size_t operand) const {
  const std::size_t at = visit.operands[operand];
  return at == untracked ? visit.body->operands[operand].node->snapshot().value
                         : visits_[at].snapshot.value;
}

void ReversePass::store_gradients(const ExecutionContext& execution) {
  GradientCommit commit;
  for (Visit& visit : visits_) {
    if (visit.node->is_parameter() && !visit.adjoint.is_empty()) {
      commit.add(visit.node, visit.adjoint.take());
    }
  }
  commit.store(execution);
}

}  // namespace tandem::autograd
