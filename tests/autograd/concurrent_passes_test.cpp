// Many threads, shared parameters. All values are small integers, so that sums
// are exact in any order.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/tensor/error.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "support/bits.h"

namespace tandem::autograd {
namespace {

using test::same_values;

constexpr int threads = 4;
constexpr int passes = 200;

template <class Work>
void on_threads(Work work) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back([=] { work(i); });
  for (std::thread& thread : all) thread.join();
}

TEST(ConcurrentPasses, OfOwnGraphsAddUpInSharedParameters) {
  Parameter p(Tensor({2}, {1, 2}));
  Parameter q(Tensor({2}, {3, 4}));
  on_threads([&](int thread) {
    for (int i = 0; i < passes; ++i) {
      // Half of the threads meet the parameters in the other order.
      const Variable product = thread % 2 == 0 ? p * q : q * p;
      sum(product).backward(1.0, Graph::release);
    }
  });
  EXPECT_TRUE(same_values(p.gradient(), {2}, {2400, 3200}));
  EXPECT_TRUE(same_values(q.gradient(), {2}, {800, 1600}));
}

TEST(ConcurrentPasses, OfOneGraphAddUp) {
  Parameter p(Tensor({2}, {1, 2}));
  const Variable loss = sum(p * p * p);
  on_threads([&](int) {
    for (int i = 0; i < passes; ++i) loss.backward();
  });
  EXPECT_TRUE(same_values(p.gradient(), {2}, {2400, 9600}));
}

TEST(ConcurrentPasses, OverAHundredParametersAddUp) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 100; ++i) parameters.emplace_back(Tensor::scalar(1));
  on_threads([&](int thread) {
    for (int i = 0; i < 20; ++i) {
      Variable total = constant(0.0);
      for (std::size_t k = 0; k < 100; ++k) {
        total = total + parameters[thread % 2 == 0 ? k : 99 - k];
      }
      total.backward(1.0, Graph::release);
    }
  });
  for (const Parameter& parameter : parameters) {
    EXPECT_EQ(parameter.gradient().item(), 80.0);
  }
}

TEST(ConcurrentPasses, GiveOneReleaseEachGraph) {
  for (int round = 0; round < 50; ++round) {
    Parameter p(Tensor::scalar(3));
    const Variable loss = p * p + p;
    std::atomic<int> succeeded = 0;
    on_threads([&](int) {
      try {
        loss.backward(1.0, Graph::release);
        ++succeeded;
      } catch (const GraphError&) {
        // Another thread was first.
      }
    });
    EXPECT_GE(succeeded, 1);
    EXPECT_EQ(p.gradient().item(), 7.0 * succeeded);
  }
}

TEST(ConcurrentPasses, OutliveTheLastHandleOfTheirGraph) {
  Parameter p(Tensor::scalar(3));
  for (int round = 0; round < 50; ++round) {
    Variable end = p * constant(1.0);
    for (int i = 0; i < 20; ++i) end = end + p;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) {
      all.emplace_back([mine = end]() mutable {
        mine.backward();
        mine = constant(1.0);  // let go of the graph here
      });
    }
    end = p;
    for (std::thread& thread : all) thread.join();
  }
  EXPECT_EQ(p.gradient().item(), 50.0 * threads * 21);
}

TEST(ConcurrentPasses, AreWholeOrStaleBesideAnUpdate) {
  Parameter p(Tensor::scalar(1));
  std::atomic<int> succeeded = 0;
  on_threads([&](int thread) {
    for (int i = 0; i < passes; ++i) {
      if (thread == 0) {
        p.update(Tensor::scalar(i));
        continue;
      }
      try {
        (p * constant(2.0) + p).backward();
        ++succeeded;
      } catch (const GraphError&) {
        // The update came in between.
      }
    }
  });
  EXPECT_EQ(p.gradient().item(), 3.0 * succeeded);
  EXPECT_EQ(p.version(), static_cast<std::uint64_t>(passes));
}

TEST(ConcurrentPasses, ShowGradientsBeforeOrAfterACommit) {
  Parameter p(Tensor({3}, {1, 1, 1}));
  std::atomic<int> torn = 0;
  on_threads([&](int thread) {
    for (int i = 0; i < passes; ++i) {
      if (thread == 0) {
        const Tensor seen = p.gradient();
        torn += seen.at({0}) != seen.at({2});
      } else if (thread == 1 && i % 10 == 0) {
        p.zero_grad();
      } else {
        sum(p).backward();
      }
    }
  });
  EXPECT_EQ(torn, 0);
}

}  // namespace
}  // namespace tandem::autograd
