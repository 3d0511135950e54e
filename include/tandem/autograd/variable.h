// Variable: a value that remembers how it was made, so that its derivative can
// be taken.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/export.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <cstddef>
#include <memory>

namespace tandem::autograd {

class Node;

/// Whether a pass leaves the graph it walked, for another pass, or gives it
/// back to memory.
enum class Graph { retain, release };

/// A shared node of a graph; copying is O(1) and means the same node. All its
/// values are finite.
class TANDEM_API Variable {
 public:
  const Shape& shape() const&;
  Shape shape() const&& { return shape(); }
  /// The values, packed.
  Tensor value() const;
  /// The values where they lie; never copies.
  TensorView view() const;
  /// True where a derivative can flow through it to a parameter.
  bool is_tracked() const;
  bool is_same_node(const Variable& other) const {
    return node_ == other.node_;
  }

  /// Adds the derivative of this scalar to the gradient of each parameter it
  /// depends on, and keeps the graph. The reverse products run in `execution`.
  ///
  /// A pass stores either every gradient or, where it throws, none. Throws
  /// GraphError where the graph was released, the variable is untracked, or a
  /// parameter was updated since its value was used; ShapeError unless the
  /// shape is []; NonfiniteError where a derivative is.
  void backward(const ExecutionContext& execution = {}) const;

  /// The same for any shape, from the upstream gradient `seed` of that shape.
  /// With Graph::release the graph is released even if the pass fails.
  void backward(const TensorView& seed, Graph graph = Graph::retain,
                const ExecutionContext& execution = {}) const;

  /// For those who add to the graph.
  explicit Variable(std::shared_ptr<Node> node);
  const std::shared_ptr<Node>& node() const { return node_; }

 private:
  std::shared_ptr<Node> node_;
};

/// An untracked leaf. Throws NonfiniteError.
TANDEM_API Variable constant(const TensorView& value);

/// The value of `variable` as an untracked leaf.
TANDEM_API Variable detached(const Variable& variable);

}  // namespace tandem::autograd
