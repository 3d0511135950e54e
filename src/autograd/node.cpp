#include "autograd/node.h"

#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <utility>

#include "autograd/finite.h"

namespace tandem::autograd {

Node::Node(TensorView value, bool tracked, std::shared_ptr<Body> body)
    : shape_(value.shape()),
      tracked_(tracked),
      value_(std::move(value)),
      body_(std::move(body)) {}

Node::~Node() {
  std::vector<std::shared_ptr<Body>> doomed;
  if (body_) doomed.push_back(std::move(body_));
  while (!doomed.empty()) {
    const std::shared_ptr<Body> body = std::move(doomed.back());
    doomed.pop_back();
    if (body.use_count() != 1) continue;  // a pass is still walking it
    for (Edge& edge : body->operands) {
      // The last owner takes the body out, so that the operand's own
      // destructor has nothing left to descend into.
      if (edge.node.use_count() == 1 && edge.node->body_) {
        doomed.push_back(std::move(edge.node->body_));
      }
    }
  }
}

std::shared_ptr<Node> Node::parameter(const Tensor& value) {
  check_finite(value, "parameter");
  auto node = std::make_shared<Node>(value, true);
  node->is_parameter_ = true;
  node->gradient_ = Tensor::zeros(value.shape());
  return node;
}

Snapshot Node::snapshot() const {
  const std::lock_guard lock(mutex_);
  return {value_, version_};
}

std::shared_ptr<const Body> Node::body() const {
  const std::lock_guard lock(mutex_);
  return body_;
}

bool Node::is_released() const {
  const std::lock_guard lock(mutex_);
  return released_;
}

void Node::release() {
  std::shared_ptr<Body> body;  // destroyed after the lock is gone
  const std::lock_guard lock(mutex_);
  body.swap(body_);
  released_ = true;
}

Tensor Node::gradient() const {
  const std::lock_guard lock(mutex_);
  return gradient_;
}

void Node::zero_gradient() {
  Tensor zeros = Tensor::zeros(shape_);
  const std::lock_guard lock(mutex_);
  gradient_ = std::move(zeros);
}

void Node::update(const Tensor& value) {
  if (!(value.shape() == shape_)) {
    throw ShapeError("update: shape differs: parameter is " +
                     to_string(shape_) + ", value is " +
                     to_string(value.shape()));
  }
  check_finite(value, "update");
  const std::lock_guard lock(mutex_);
  value_ = value;
  ++version_;
}

void GradientCommit::add(std::shared_ptr<Node> parameter, Tensor derivative) {
  entries_.push_back({std::move(parameter), std::move(derivative)});
}

void GradientCommit::store() {
  // Everybody locks in one order, so passes that share parameters never wait
  // for each other in a circle.
  std::sort(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
    return std::less<>()(a.parameter.get(), b.parameter.get());
  });
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    locks.emplace_back(entry.parameter->mutex_);
  }
  std::vector<Tensor> sums;
  sums.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    sums.push_back(tandem::add(entry.parameter->gradient_, entry.derivative));
    check_finite(sums.back(), "gradient");
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i].parameter->gradient_ = std::move(sums[i]);
  }
}

}  // namespace tandem::autograd
