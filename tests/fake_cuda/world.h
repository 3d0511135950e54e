// The state behind all fake libraries of a process: devices, memory, streams.
//
// Written from NVIDIA's documentation, not from the code under test. Work on a
// stream is only done when somebody waits for it, or when other work that is
// being waited for was ordered after it: a missing wait shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fake_cuda/control.h"

namespace fake_cuda {

struct Context {
  int device = 0;
  int retained = 0;
  std::size_t bytes = 0;
  int sticky_error = 0;
};

struct Stream {
  Context* context = nullptr;
  std::deque<std::function<void()>> work;
  std::uint64_t queued = 0;
  std::uint64_t done = 0;

  void push(std::function<void()> item);
  void run_to(std::uint64_t position);
  void run_all() { run_to(queued); }
};

struct Event {
  std::shared_ptr<Stream> stream;  // null until recorded
  std::uint64_t position = 0;
};

struct Blas {
  Context* context = nullptr;
  Stream* stream = nullptr;
  int math_mode = 0;
  int pointer_mode = 0;
  int atomics_mode = 0;
};

/// The contexts that a thread has pushed. It must work in destructors of
/// statics, which run after those of a thread's own objects: so it has none.
struct ContextStack {
  Context* contexts[64];
  std::size_t depth;

  bool empty() const { return depth == 0; }
  Context* back() const { return contexts[depth - 1]; }
  void push_back(Context* context) { contexts[depth++] = context; }
  void pop_back() { --depth; }
};

struct Allocation {
  std::size_t bytes = 0;
  Context* context = nullptr;
};

class FAKE_CUDA_API World {
 public:
  std::recursive_mutex mutex;
  int driver_version = 13000;
  int device_count = 2;
  std::size_t device_memory = std::size_t{1} << 30;
  bool initialised = false;
  std::optional<double> forced_sum;
  Context contexts[8];
  std::map<const char*, Allocation> allocations;
  std::map<const char*, std::size_t> registrations;
  std::map<Stream*, std::shared_ptr<Stream>> streams;
  std::set<Event*> events;
  std::set<Blas*> handles;
  std::vector<std::string> violations;

  /// Counts the call and returns the planted status, 0 for none.
  int enter(const char* function);
  void plant(const std::vector<Fault>& faults);
  std::size_t faults_struck() const { return struck_; }
  const std::map<std::string, std::size_t>& calls() const { return calls_; }

  /// The context that the runtime would work in.
  Context* current();
  void violate(const std::string& what);
  void drain(const Context* context);

  bool on_device(const void* memory, std::size_t bytes) const;
  bool is_registered(const void* memory, std::size_t bytes) const;

 private:
  std::vector<Fault> faults_;
  std::map<std::string, std::size_t> calls_;
  std::size_t struck_ = 0;
};

FAKE_CUDA_API World& world();
FAKE_CUDA_API ContextStack& context_stack();
FAKE_CUDA_API int& thread_error();

}  // namespace fake_cuda
