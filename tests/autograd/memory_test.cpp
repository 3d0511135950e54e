// Nothing of a step outlives it.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "support/memory_probe.h"

namespace tandem::autograd {
namespace {

using test::is_sanitized;
using test::resident_bytes;
using test::sanitizers_keep_memory;

class Layer {
 public:
  // One forward and backward pass and an update; adds each node it made.
  void step(Graph graph, std::vector<std::weak_ptr<Node>>& nodes) {
    const auto note = [&](const Variable& variable) {
      nodes.push_back(variable.node());
      return variable;
    };
    const Variable x = note(constant(Tensor::full({4, 4}, 0.5)));
    const Variable y = note(silu(note(note(matmul(x, weight_)) + bias_)));
    const Variable loss = note(mean(note(y * y)));
    loss.backward(1.0, graph);
    for (Parameter* parameter : {&weight_, &bias_}) {
      parameter->update(parameter->value() -
                        parameter->gradient() * Tensor::scalar(0.01));
      parameter->zero_grad();
    }
  }

 private:
  Parameter weight_{Tensor::full({4, 4}, 0.25)};
  Parameter bias_{Tensor::full({4}, 0.125)};
};

std::size_t live(const std::vector<std::weak_ptr<Node>>& nodes) {
  std::size_t count = 0;
  for (const auto& node : nodes) count += !node.expired();
  return count;
}

TEST(Memory, HoldsNoNodeAfterAStep) {
  Layer layer;
  for (const Graph graph : {Graph::retain, Graph::release}) {
    for (int i = 0; i < 1000; ++i) {
      std::vector<std::weak_ptr<Node>> nodes;
      layer.step(graph, nodes);
      ASSERT_EQ(nodes.size(), 6u);
      ASSERT_EQ(live(nodes), 0u);
    }
  }
}

TEST(Memory, StaysFlatOverTenThousandSteps) {
  Layer layer;
  std::vector<std::weak_ptr<Node>> nodes;
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      nodes.clear();
      layer.step(i % 2 == 0 ? Graph::retain : Graph::release, nodes);
    }
  };
  steps(1000);
  const std::size_t before = resident_bytes();
  steps(9000);
  if (is_sanitized) GTEST_SKIP() << sanitizers_keep_memory;
  if (before == 0) GTEST_SKIP() << "no /proc/self/statm here";
  EXPECT_LT(resident_bytes(), before + (1 << 20));
}

}  // namespace
}  // namespace tandem::autograd
