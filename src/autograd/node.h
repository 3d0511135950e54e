// Node: one vertex of a graph. It owns its operands' nodes through its body.
#pragma once

#include <tandem/autograd/function.h>
#include <tandem/autograd/parameter.h>
#include <tandem/autograd/variable.h>
#include <tandem/tensor/tensor.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tandem::autograd {

/// An operand, and the version its value had when it was used. The values are
/// read through the node, so an update never copies because of a graph.
struct Edge {
  std::shared_ptr<Node> node;
  std::uint64_t version = 0;
};

/// How an output was made. It owns its operands, and through them the graph
/// below; make_body makes one that is destroyed without recursion.
struct Body {
  const char* name;
  std::vector<Edge> operands;
  Reverse reverse;
  Scope scope;
  MatmulPrecision precision;
  Body* next_doomed = nullptr;
};

std::shared_ptr<Body> make_body(Body body);

/// A value together with its version, read as one.
struct Snapshot {
  TensorView value;
  std::uint64_t version;
};

class Node {
 public:
  /// A leaf, or an output where there is a body.
  Node(TensorView value, bool tracked, std::shared_ptr<Body> body = nullptr);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  static std::shared_ptr<Node> parameter(const Tensor& value);
  /// One whose value is read when it is first used.
  static std::shared_ptr<Node> parameter(const Shape& shape, ValueReader read);

  /// Fixed for life.
  const Shape& shape() const { return shape_; }
  bool is_tracked() const { return tracked_; }
  bool is_parameter() const { return is_parameter_; }

  /// Reads the value where that has still to be done.
  Snapshot snapshot() const;
  /// Waits for nobody, not even for who reads the value.
  std::uint64_t version() const;
  /// Null for a leaf and once released.
  std::shared_ptr<const Body> body() const;
  bool is_released() const;
  void release();

  Tensor gradient() const;
  void zero_gradient();
  void update(const Tensor& value);

 private:
  friend class GradientCommit;

  // A parameter that is still to be read.
  Node(const Shape& shape, ValueReader read);
  TensorView read_value() const;

  const Shape shape_;
  const bool tracked_;
  bool is_parameter_ = false;

  mutable std::mutex mutex_;  // guards the value, the body and their state
  mutable std::optional<TensorView> value_;  // none: still to be read
  mutable ValueReader read_;
  std::atomic<std::uint64_t> version_ = 0;
  std::shared_ptr<Body> body_;
  bool released_ = false;

  std::optional<Tensor> gradient_;  // none: zeros; see gradients_mutex
};

/// Adds a pass's derivatives to the gradients of parameters, all or none.
class GradientCommit {
 public:
  void add(std::shared_ptr<Node> parameter, Tensor derivative);
  /// Throws NonfiniteError, with nothing stored.
  void store(const ExecutionContext& execution);

 private:
  struct Entry {
    std::shared_ptr<Node> parameter;
    Tensor derivative;
  };
  std::vector<Entry> entries_;
};

}  // namespace tandem::autograd
