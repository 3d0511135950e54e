#include "autograd/node.h"

#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <utility>

#include "autograd/finite.h"
#include "execution/context_access.h"

namespace tandem::autograd {
namespace {

// Guards every gradient of the process. A commit changes many at once; a lock
// for each would have to be held together with all the others.
std::mutex gradients_mutex;

// The bodies this thread has still to destroy, linked through next_doomed.
thread_local bool is_destroying = false;
thread_local Body* doomed = nullptr;

// A body owns its operands, and those own theirs: destroyed in the ordinary
// way, a deep graph would overflow the stack. A body that dies while another
// does waits its turn instead.
void destroy(Body* body) {
  if (is_destroying) {
    body->next_doomed = std::exchange(doomed, body);
    return;
  }
  is_destroying = true;
  while (body != nullptr) {
    delete body;
    body = doomed;
    if (body != nullptr) doomed = body->next_doomed;
  }
  is_destroying = false;
}

}  // namespace

std::shared_ptr<Body> make_body(Body body) {
  return {new Body(std::move(body)), destroy};
}

Node::Node(TensorView value, bool tracked, std::shared_ptr<Body> body)
    : shape_(value.shape()),
      tracked_(tracked),
      value_(std::move(value)),
      body_(std::move(body)) {}

std::shared_ptr<Node> Node::parameter(const Tensor& value) {
  check_finite(value, "parameter");
  auto node = std::make_shared<Node>(value, true);
  node->is_parameter_ = true;
  return node;
}

std::shared_ptr<Node> Node::parameter(const Shape& shape, ValueReader read) {
  if (!read) throw GraphError("parameter: reader is missing");
  return std::shared_ptr<Node>(new Node(shape, std::move(read)));
}

Node::Node(const Shape& shape, ValueReader read)
    : shape_(shape),
      tracked_(true),
      is_parameter_(true),
      read_(std::move(read)) {}

Snapshot Node::snapshot() const {
  ValueReader done;  // destroyed after the lock is gone
  // Held while the value is read: who comes meanwhile waits for it.
  const std::lock_guard lock(mutex_);
  if (!value_) {
    value_ = read_value();
    done.swap(read_);
  }
  return {*value_, version_};
}

TensorView Node::read_value() const {
  const Tensor value = read_();
  if (!(value.shape() == shape_)) {
    throw ShapeError("parameter: shape differs: parameter is " +
                     to_string(shape_) + ", value that was read is " +
                     to_string(value.shape()));
  }
  check_finite(value, "parameter");
  return value;
}

std::uint64_t Node::version() const { return version_; }

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
  {
    const std::lock_guard lock(gradients_mutex);
    if (gradient_) return *gradient_;
  }
  return Tensor::zeros(shape_);
}

void Node::zero_gradient() {
  const std::lock_guard lock(gradients_mutex);
  gradient_.reset();
}

void Node::update(const Tensor& value) {
  if (!(value.shape() == shape_)) {
    throw ShapeError("update: shape differs: parameter is " +
                     to_string(shape_) + ", value is " +
                     to_string(value.shape()));
  }
  check_finite(value, "update");
  ValueReader unneeded;  // destroyed after the lock is gone
  const std::lock_guard lock(mutex_);
  value_ = value;
  unneeded.swap(read_);
  ++version_;
}

void GradientCommit::add(std::shared_ptr<Node> parameter, Tensor derivative) {
  entries_.push_back({std::move(parameter), std::move(derivative)});
}

void GradientCommit::store(const ExecutionContext& execution) {
  const std::lock_guard lock(gradients_mutex);
  for (Entry& entry : entries_) {
    const std::optional<Tensor>& old = entry.parameter->gradient_;
    if (!old) continue;  // zeros and a derivative, which has no -0, add to it
    entry.derivative = tandem::add(*old, entry.derivative, execution);
    check_finite(entry.derivative, "gradient",
                 ContextAccess::threads(execution));
  }
  for (Entry& entry : entries_) {
    entry.parameter->gradient_ = std::move(entry.derivative);
  }
}

}  // namespace tandem::autograd
