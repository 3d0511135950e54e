// The thread pool: every task once, from any caller, and nothing left behind.
#include "cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace tandem::cpu {
namespace {

using Counts = std::vector<std::atomic<int>>;

bool all_one(const Counts& counts) {
  return std::all_of(counts.begin(), counts.end(),
                     [](const std::atomic<int>& count) { return count == 1; });
}

// fegetround() would answer for the x87 unit; arithmetic tells.
bool rounds_upward() {
  volatile double one = 1.0;
  volatile double tiny = 1e-30;
  return one + tiny > one;
}

// Returns once `threads` tasks are inside at the same time: a task that waits
// here is on a thread of its own.
void meet(std::atomic<unsigned>& arrived, unsigned threads) {
  ++arrived;
  while (arrived < threads) std::this_thread::yield();
}

TEST(ParallelFor, RunsEveryTaskOnceForAnyNumberOfThreads) {
  for (unsigned threads = 0; threads <= 8; ++threads) {
    for (std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
      Counts counts(count);
      parallel_for(count, threads, [&](std::size_t task) { ++counts[task]; });
      EXPECT_TRUE(all_one(counts)) << threads << " threads, " << count;
    }
  }
}

TEST(ParallelFor, UsesAsManyThreadsAsItMay) {
  std::atomic<unsigned> arrived{0};
  std::mutex mutex;
  std::set<std::thread::id> threads;
  parallel_for(4, 4, [&](std::size_t) {
    meet(arrived, 4);
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_EQ(threads.count(std::this_thread::get_id()), 1u);
}

TEST(ParallelFor, StaysOnTheCallerWhenOneThreadIsAllowed) {
  const auto caller = std::this_thread::get_id();
  parallel_for(100, 1, [&](std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(ParallelFor, RunsNestedTasksOnTheThreadOfTheOuterTask) {
  Counts counts(64);
  parallel_for(8, 4, [&](std::size_t outer) {
    const auto thread = std::this_thread::get_id();
    parallel_for(8, 4, [&](std::size_t inner) {
      EXPECT_EQ(std::this_thread::get_id(), thread);
      ++counts[outer * 8 + inner];
    });
  });
  EXPECT_TRUE(all_one(counts));
}

TEST(ParallelFor, ServesCallersThatComeAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        Counts counts(17);
        parallel_for(17, 3, [&](std::size_t task) { ++counts[task]; });
        if (!all_one(counts)) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ParallelFor, BringsATasksExceptionToTheCaller) {
  for (unsigned threads : {1u, 2u, 4u}) {
    try {
      parallel_for(100, threads, [](std::size_t task) {
        if (task == 5) throw std::runtime_error("task 5");
      });
      ADD_FAILURE() << "no exception with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "task 5");
    }
  }
}

TEST(ParallelFor, BringsAHelpersExceptionToTheCaller) {
  const auto caller = std::this_thread::get_id();
  std::atomic<unsigned> arrived{0};
  EXPECT_THROW(parallel_for(2, 2,
                            [&](std::size_t) {
                              meet(arrived, 2);
                              if (std::this_thread::get_id() != caller) {
                                throw std::runtime_error("helper");
                              }
                            }),
               std::runtime_error);
}

TEST(ParallelFor, WorksAfterAnException) {
  EXPECT_THROW(
      parallel_for(9, 3, [](std::size_t) { throw std::runtime_error("any"); }),
      std::runtime_error);
  Counts counts(9);
  parallel_for(9, 3, [&](std::size_t task) { ++counts[task]; });
  EXPECT_TRUE(all_one(counts));
}

TEST(ParallelFor, KeepsTheCallersRoundingModeOutOfTasks) {
  std::atomic<unsigned> arrived{0};
  std::atomic<int> others{0};
  std::fesetround(FE_UPWARD);
  // A helper made now would inherit this thread's rounding mode.
  parallel_for(12, 12, [&](std::size_t) {
    meet(arrived, 12);
    if (rounds_upward()) ++others;
  });
  parallel_for(3, 1, [&](std::size_t) {
    if (rounds_upward()) ++others;
  });
  EXPECT_TRUE(rounds_upward());
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(others, 0);
}

#if defined(__unix__)
TEST(ParallelFor, WorksOnItsCallersThreadInAForkedChild) {
  parallel_for(4, 4, [](std::size_t) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto caller = std::this_thread::get_id();
    std::size_t done = 0;
    parallel_for(100, 4, [&](std::size_t) {
      done += std::this_thread::get_id() == caller;
    });
    _exit(done == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

TEST(ParallelChunks, CoversTheExtentWithoutGapOrOverlap) {
  for (std::size_t extent : {0u, 1u, 9u, 10u, 11u, 100u}) {
    Counts counts(extent);
    parallel_chunks(extent, 10, 3, [&](std::size_t begin, std::size_t end) {
      EXPECT_LE(end - begin, 10u);
      for (std::size_t i = begin; i < end; ++i) ++counts[i];
    });
    EXPECT_TRUE(all_one(counts)) << extent;
  }
}

}  // namespace
}  // namespace tandem::cpu
