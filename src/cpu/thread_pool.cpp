#include "cpu/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include "cpu/floating_point.h"

namespace tandem::cpu {
namespace {

// How long a thread that ran out of work looks out for more before it sleeps:
// about what waking it would cost. At rest nobody spins.
constexpr int lookout_pauses = 600;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Waits a moment for `happened()`.
template <class Condition>
void look_out_for(const Condition& happened) {
  for (int i = 0; i < lookout_pauses && !happened(); ++i) pause_briefly();
}

// Set while this thread runs tasks: a nested call then stays on it.
thread_local bool inside_task = false;

// One call of parallel_for, on its caller's stack. `next` is claimed without
// the pool's lock; all else changes under it.
struct Job {
  TaskBody body;
  std::size_t count;
  unsigned helpers_wanted;
  std::atomic<unsigned> helpers_active{0};
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure{};

  bool exhausted() const {
    return next.load(std::memory_order_relaxed) >= count;
  }
};

// Runs tasks of `job` until none is left; returns what a task threw, if one
// did, after which no further task begins.
std::exception_ptr work_on(Job& job) {
  const FloatingPointScope scope;
  inside_task = true;
  std::exception_ptr failure;
  for (;;) {
    const std::size_t task = job.next.fetch_add(1, std::memory_order_relaxed);
    if (task >= job.count) break;
    try {
      job.body(task);
    } catch (...) {
      failure = std::current_exception();
      job.next.store(job.count, std::memory_order_relaxed);
    }
  }
  inside_task = false;
  return failure;
}

class ThreadPool {
 public:
  void run(Job& job) {
    open(job);
    std::exception_ptr failure = work_on(job);
    close(job, failure);
    if (job.failure) std::rethrow_exception(job.failure);
  }

 private:
  void open(Job& job) {
    const std::lock_guard lock(mutex_);
    grow(job.helpers_wanted);
    jobs_.push_back(&job);
    opened_.fetch_add(1, std::memory_order_release);
    const unsigned woken = std::min(job.helpers_wanted, sleeping_);
    for (unsigned i = 0; i < woken; ++i) job_opened_.notify_one();
  }

  // No helper joins a job that has left the list, so once the active ones are
  // gone nobody refers to it.
  void close(Job& job, const std::exception_ptr& failure) {
    std::unique_lock lock(mutex_);
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    lock.unlock();
    look_out_for([&] { return job.helpers_active == 0; });
    lock.lock();
    helper_left_.wait(lock, [&] { return job.helpers_active == 0; });
    if (failure && !job.failure) job.failure = failure;
  }

  // Fewer threads than wanted are no error: the caller works in any case.
  void grow(unsigned wanted) {
    while (threads_ < wanted) {
      try {
        std::thread([this] { serve(); }).detach();
      } catch (const std::system_error&) {
        return;
      }
      ++threads_;
    }
  }

  [[noreturn]] void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Job* const job = next_job(lock);
      ++job->helpers_active;
      lock.unlock();
      const std::exception_ptr failure = work_on(*job);
      lock.lock();
      if (failure && !job->failure) job->failure = failure;
      if (--job->helpers_active == 0) helper_left_.notify_all();
    }
  }

  Job* next_job(std::unique_lock<std::mutex>& lock) {
    Job* job = joinable();
    if (job != nullptr) return job;
    const unsigned seen = opened_.load(std::memory_order_relaxed);
    lock.unlock();
    look_out_for(
        [&] { return opened_.load(std::memory_order_acquire) != seen; });
    lock.lock();
    ++sleeping_;
    job_opened_.wait(lock, [&] { return (job = joinable()) != nullptr; });
    --sleeping_;
    return job;
  }

  Job* joinable() const {
    for (Job* job : jobs_) {
      if (job->helpers_active < job->helpers_wanted && !job->exhausted()) {
        return job;
      }
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::condition_variable job_opened_;
  std::condition_variable helper_left_;
  std::vector<Job*> jobs_;
  std::atomic<unsigned> opened_{0};  // jobs so far
  unsigned threads_ = 0;
  unsigned sleeping_ = 0;
};

std::atomic<ThreadPool*> the_pool{nullptr};
std::atomic<bool> threads_lost_by_fork{false};

// Without a lock, so that a fork in the middle leaves none held in the child.
ThreadPool& pool() {
  ThreadPool* existing = the_pool.load(std::memory_order_acquire);
  if (existing != nullptr) return *existing;
#if defined(__unix__) || defined(__APPLE__)
  pthread_atfork(nullptr, nullptr, [] { threads_lost_by_fork = true; });
#endif
  auto* made = new ThreadPool;
  if (!the_pool.compare_exchange_strong(existing, made,
                                        std::memory_order_acq_rel)) {
    delete made;
    return *existing;
  }
  return *made;
}

}  // namespace

unsigned default_thread_count() {
#if defined(__linux__)
  static const unsigned count = [] {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
      return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
    }
    return std::max(1u, std::thread::hardware_concurrency());
  }();
#else
  static const unsigned count =
      std::max(1u, std::thread::hardware_concurrency());
#endif
  return count;
}

void parallel_for(std::size_t count, unsigned max_threads, TaskBody body) {
  if (count == 0) return;
  if (max_threads == 0) max_threads = default_thread_count();
  if (count == 1 || max_threads == 1 || inside_task || threads_lost_by_fork) {
    const FloatingPointScope scope;
    for (std::size_t task = 0; task < count; ++task) body(task);
    return;
  }
  const std::size_t threads = std::min<std::size_t>(count, max_threads);
  Job job{body, count, static_cast<unsigned>(threads - 1)};
  pool().run(job);
}

}  // namespace tandem::cpu
