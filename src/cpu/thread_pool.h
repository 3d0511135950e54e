// The thread pool: one for the process, made when first needed, never
// destroyed.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tandem::cpu {

/// The number of threads that work at once when nobody says otherwise: all
/// cores that this process may use, at least 1.
unsigned default_thread_count();

/// A reference to something that is called with a task's number. Whatever it
/// refers to must outlive the call that takes it.
class TaskBody {
 public:
  template <class Function>
  TaskBody(const Function& function)
      : object_(&function), call_([](const void* object, std::size_t task) {
          (*static_cast<const Function*>(object))(task);
        }) {}

  void operator()(std::size_t task) const { call_(object_, task); }

 private:
  const void* object_;
  void (*call_)(const void*, std::size_t);
};

/// Calls `body(task)` once for every task in [0, count), on the calling thread
/// and at most `max_threads - 1` others, in no particular order; returns when
/// all are done. 0 threads means default_thread_count().
///
/// Every task runs inside a FloatingPointScope. Called from within a task, or
/// in a child forked after the pool was made, it runs on the calling thread
/// alone. Any number of threads may call it at once. The first exception that a
/// task throws skips the tasks not yet begun and reaches the caller.
void parallel_for(std::size_t count, unsigned max_threads, TaskBody body);

/// Splits [0, extent) into runs of at most `grain` and calls
/// `body(begin, end)` for each by parallel_for.
template <class Body>
void parallel_chunks(std::size_t extent, std::size_t grain,
                     unsigned max_threads, const Body& body) {
  const std::size_t count = extent / grain + (extent % grain != 0);
  parallel_for(count, max_threads, [&](std::size_t chunk) {
    const std::size_t begin = chunk * grain;
    body(begin, begin + std::min(grain, extent - begin));
  });
}

}  // namespace tandem::cpu
