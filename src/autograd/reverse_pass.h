// ReversePass: one walk of a graph from an output back to its parameters.
#pragma once

#include <tandem/autograd/variable.h>
#include <tandem/execution/context.h>
#include <tandem/tensor/view.h>

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "autograd/adjoint.h"
#include "autograd/node.h"

namespace tandem::autograd {

/// Nodes are visited depth-first, operands in order, each once; the walk goes
/// backward through that order. Nothing is stored before all of it succeeded.
class ReversePass {
 public:
  ReversePass(std::shared_ptr<Node> output, Graph graph);
  /// Where the graph is given up, so it is once a pass has begun, whatever
  /// becomes of the pass.
  ~ReversePass();
  ReversePass(const ReversePass&) = delete;
  ReversePass& operator=(const ReversePass&) = delete;

  void run(const TensorView& seed, const ExecutionContext& execution);

 private:
  struct Visit {
    std::shared_ptr<Node> node;
    std::shared_ptr<const Body> body;  // null for a parameter
    Snapshot snapshot;
    Adjoint adjoint;
    std::vector<std::size_t> operands;  // visits; `untracked` for constants
  };

  static constexpr std::size_t untracked = static_cast<std::size_t>(-1);

  void check_output() const;
  void order_visits();
  std::size_t enter(const std::shared_ptr<Node>& node);
  void check_ancestors() const;
  void check_seed(const TensorView& seed) const;
  void check_versions() const;
  void check_precisions(const ExecutionContext& execution) const;
  void propagate(Visit& visit, const ExecutionContext& execution);
  TensorView operand_value(const Visit& visit, std::size_t operand) const;
  void store_gradients(const ExecutionContext& execution);

  std::shared_ptr<Node> output_;
  Graph graph_;
  std::vector<Visit> visits_;
  std::unordered_map<const Node*, std::size_t> index_;  // into visits_
  std::vector<std::size_t> order_;  // operands before what is made of them
};

}  // namespace tandem::autograd
