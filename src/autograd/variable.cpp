#include <tandem/autograd/parameter.h>
#include <tandem/autograd/variable.h>
#include <tandem/tensor/error.h>

#include <utility>

#include "autograd/finite.h"
#include "autograd/node.h"
#include "autograd/reverse_pass.h"

namespace tandem::autograd {

Variable::Variable(std::shared_ptr<Node> node) : node_(std::move(node)) {}

const Shape& Variable::shape() const& { return node_->shape(); }

Tensor Variable::value() const { return view().materialize(); }

TensorView Variable::view() const { return node_->snapshot().value; }

bool Variable::is_tracked() const { return node_->is_tracked(); }

void Variable::backward(const ExecutionContext& execution) const {
  // A shape other than [] is refused as a seed of the wrong shape.
  backward(Tensor::scalar(1.0), Graph::retain, execution);
}

void Variable::backward(const TensorView& seed, Graph graph,
                        const ExecutionContext& execution) const {
  ReversePass(node_, graph).run(seed, execution);
}

Variable constant(const TensorView& value) {
  check_finite(value, "constant");
  return Variable(std::make_shared<Node>(value, false));
}

Variable detached(const Variable& variable) {
  return Variable(std::make_shared<Node>(variable.view(), false));
}

Parameter::Parameter(const Tensor& value) : Variable(Node::parameter(value)) {}

Parameter::Parameter(const Shape& shape, ValueReader read)
    : Variable(Node::parameter(shape, std::move(read))) {}

Tensor Parameter::gradient() const { return node()->gradient(); }

void Parameter::zero_grad() { node()->zero_gradient(); }

void Parameter::update(const Tensor& value) { node()->update(value); }

std::uint64_t Parameter::version() const { return node()->version(); }

}  // namespace tandem::autograd
