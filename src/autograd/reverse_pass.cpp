#include "autograd/reverse_pass.h"

#include <tandem/tensor/error.h>

#include <cmath>
#include <string>
#include <utility>

#include "autograd/finite.h"
#include "cpu/loop_nest.h"
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

void Adjoint::add(const TensorView& contribution, const char* operation) {
  const bool first = is_empty();
  if (first) {
    shape_ = contribution.shape();
    values_ = Storage::allocate(contribution.size());
  }
  if (contribution.size() == 0) return;
  const double* in = StorageAccess::origin(contribution);
  double* sum = values_->writable();
  std::size_t index = 0;
  const cpu::LoopNest<1> nest(shape_, {&contribution.strides()});
  nest.run([&](const auto& offsets, std::size_t count, const auto& steps) {
    const double* value = in + offsets[0];
    for (std::size_t i = 0; i < count; ++i, ++index, value += steps[0]) {
      sum[index] = (first ? 0.0 : sum[index]) + *value;
      if (!std::isfinite(sum[index])) {
        throw NonfiniteError(std::string(operation) + " reverse", index,
                             std::isfinite(*value) ? sum[index] : *value);
      }
    }
  });
}

Tensor Adjoint::take() {
  return StorageAccess::tensor(std::move(shape_), std::move(values_));
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
  check_seed(seed);
  check_versions();
  check_precisions(execution);
  visits_[index_.at(output_.get())].adjoint.add(seed, "seed");
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
  enter(output_);
  std::vector<std::size_t> path{0};
  while (!path.empty()) {
    Visit& visit = visits_[path.back()];
    const std::size_t count = visit.body ? visit.body->operands.size() : 0;
    if (visit.next_operand == count) {
      order_.push_back(path.back());
      path.pop_back();
      continue;
    }
    const auto& node = visit.body->operands[visit.next_operand++].node;
    if (!node->is_tracked() || index_.count(node.get()) != 0) continue;
    path.push_back(visits_.size());
    enter(node);
  }
}

void ReversePass::enter(const std::shared_ptr<Node>& node) {
  index_.emplace(node.get(), visits_.size());
  visits_.push_back({node, node->body(), node->snapshot(), {}, 0});
  if (!node->is_parameter() && !visits_.back().body) {
    reject("graph was released: that of an operand of shape " +
           to_string(node->shape()));
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
    for (const Edge& edge : visit.body->operands) {
      if (!edge.node->is_parameter()) continue;
      const std::uint64_t now = visit_of(edge).snapshot.version;
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
    // Refused here, before any work, where the device cannot do it.
    if (visit.body) execution.with_matmul_precision(visit.body->precision);
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
  for (const Edge& edge : body.operands) {
    const bool tracked = edge.node->is_tracked();
    call.needed.push_back(tracked);
    operands.push_back(tracked ? visit_of(edge).snapshot.value
                               : edge.node->snapshot().value);
  }
  call.operands = operands;
  const Contributions contributions = body.reverse(call);
  check_contributions(body, contributions);
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    if (!call.needed[i] || !contributions[i]) continue;
    const std::size_t at = index_.at(body.operands[i].node.get());
    visits_[at].adjoint.add(*contributions[i], body.name);
  }
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

const ReversePass::Visit& ReversePass::visit_of(const Edge& edge) const {
  return visits_[index_.at(edge.node.get())];
}

}  // namespace tandem::autograd
