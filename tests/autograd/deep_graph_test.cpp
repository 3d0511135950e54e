// Graphs far deeper than the stack, and far wider than usual.
#include <gtest/gtest.h>
#include <pthread.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "support/bits.h"
#include "support/memory_probe.h"

namespace tandem::autograd {
namespace {

constexpr std::size_t depth = 100000;

// A recursion of this depth would need megabytes.
constexpr std::size_t stack_bytes = (test::is_sanitized ? 512 : 64) * 1024;

void on_a_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

Variable chain(const Variable& start) {
  const Variable one = constant(1.0);
  Variable end = start;
  for (std::size_t i = 0; i < depth; ++i) end = end + one;
  return end;
}

TEST(DeepGraph, IsBuiltWalkedAndDestroyed) {
  on_a_small_stack([] {
    Parameter x(Tensor::scalar(1));
    const Variable end = chain(x);
    EXPECT_EQ(end.value().item(), 100001.0);
    end.backward();
    EXPECT_EQ(x.gradient().item(), 1.0);
    end.backward();
    EXPECT_EQ(x.gradient().item(), 2.0);
  });
}

TEST(DeepGraph, IsDestroyedWithoutAWalk) {
  on_a_small_stack([] {
    const Parameter x(Tensor::scalar(1));
    const std::weak_ptr<Node> end = chain(x).node();
    EXPECT_TRUE(end.expired());
  });
}

TEST(DeepGraph, IsReleased) {
  on_a_small_stack([] {
    Parameter x(Tensor::scalar(1));
    const Variable end = chain(x);
    end.backward(1.0, Graph::release);
    EXPECT_EQ(x.gradient().item(), 1.0);
  });
}

TEST(DeepGraph, IsReleasedByTheTemporaryThatOwnsIt) {
  on_a_small_stack([] {
    Parameter x(Tensor::scalar(1));
    chain(x).backward(1.0, Graph::release);
    EXPECT_EQ(x.gradient().item(), 1.0);
  });
}

TEST(DeepGraph, OfNodesWithTwoParentsIsWalkedAndDestroyed) {
  on_a_small_stack([] {
    Parameter x(Tensor::scalar(1));
    const Variable half = constant(0.5);
    Variable before = x, end = x;
    for (std::size_t i = 0; i < depth / 4; ++i) {
      const Variable next = (before + end) * half;
      before = std::exchange(end, next);
    }
    end.backward();
    EXPECT_EQ(x.gradient().item(), 1.0);
  });
}

TEST(DeepGraph, HangingOnASecondOperandIsDestroyed) {
  on_a_small_stack([] {
    Parameter x(Tensor::scalar(1));
    Variable end = x;
    for (std::size_t i = 0; i < depth / 4; ++i) end = x + end;
    end.backward();
    EXPECT_EQ(x.gradient().item(), 25001.0);
  });
}

TEST(DeepGraph, KeepsAPartThatIsStillHeld) {
  Parameter x(Tensor::scalar(1));
  const Variable middle = chain(x);
  chain(middle);
  middle.backward();
  EXPECT_EQ(x.gradient().item(), 1.0);
}

TEST(WideGraph, JoinsTenThousandOperands) {
  Parameter x(Tensor({1}, {1}));
  std::vector<Variable> parts;
  for (int i = 0; i < 10000; ++i) parts.push_back(x + x);
  sum(concat(parts, 0)).backward(1.0, Graph::release);
  EXPECT_EQ(x.gradient().at({0}), 20000.0);
}

TEST(WideGraph, UsesOneNodeTenThousandTimes) {
  Parameter x(Tensor({2}, {1, 2}));
  Variable total = x * x;
  for (int i = 1; i < 10000; ++i) total = total + x * x;
  sum(total).backward();
  EXPECT_TRUE(test::same_values(x.gradient(), {2}, {20000, 40000}));
}

}  // namespace
}  // namespace tandem::autograd
