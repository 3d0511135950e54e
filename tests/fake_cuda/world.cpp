#include "fake_cuda/world.h"

#include <iterator>

namespace fake_cuda {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

// Whether [memory, memory + bytes) lies inside one of the ranges.
template <typename Ranges, typename Size>
bool inside(const Ranges& ranges, const void* memory, std::size_t bytes,
            Size size) {
  const auto* from = static_cast<const char*>(memory);
  const auto after = ranges.upper_bound(from);
  if (after == ranges.begin()) return false;
  const auto& [begin, range] = *std::prev(after);
  const auto offset = static_cast<std::size_t>(from - begin);
  return offset <= size(range) && bytes <= size(range) - offset;
}

}  // namespace

World& world() {
  static World& instance = *new World;
  return instance;
}

ContextStack& context_stack() {
  static thread_local ContextStack stack;
  return stack;
}

int& thread_error() {
  static thread_local int error = 0;
  return error;
}

void Stream::push(std::function<void()> item) {
  work.push_back(std::move(item));
  ++queued;
}

void Stream::run_to(std::uint64_t position) {
  while (done < position) {
    const std::function<void()> item = std::move(work.front());
    work.pop_front();
    ++done;
    item();
  }
}

int World::enter(const char* function) {
  const std::size_t call = calls_[function]++;
  for (const Fault& fault : faults_) {
    if (fault.function != function) continue;
    if (call == fault.call || (fault.persistent && call > fault.call)) {
      ++struck_;
      return fault.status;
    }
  }
  return 0;
}

void World::plant(const std::vector<Fault>& faults) {
  faults_ = faults;
  calls_.clear();
  struck_ = 0;
}

Context* World::current() {
  if (!context_stack().empty()) return context_stack().back();
  violate("the runtime was used without a current context");
  return &contexts[0];
}

void World::violate(const std::string& what) { violations.push_back(what); }

void World::drain(const Context* context) {
  for (const auto& [address, stream] : streams) {
    if (stream->context == context) stream->run_all();
  }
}

bool World::on_device(const void* memory, std::size_t bytes) const {
  return inside(allocations, memory, bytes,
                [](const Allocation& range) { return range.bytes; });
}

bool World::is_registered(const void* memory, std::size_t bytes) const {
  return inside(registrations, memory, bytes,
                [](std::size_t range) { return range; });
}

void plant(const std::vector<Fault>& faults) {
  const Lock lock(world().mutex);
  world().plant(faults);
}

std::size_t faults_struck() {
  const Lock lock(world().mutex);
  return world().faults_struck();
}

std::map<std::string, std::size_t> calls() {
  const Lock lock(world().mutex);
  return world().calls();
}

Live live() {
  const Lock lock(world().mutex);
  Live live;
  for (const Context& context : world().contexts)
    live.contexts += static_cast<std::size_t>(context.retained);
  live.device_buffers = world().allocations.size();
  live.registrations = world().registrations.size();
  live.streams = world().streams.size();
  live.events = world().events.size();
  live.handles = world().handles.size();
  live.pushed_contexts = context_stack().depth;
  return live;
}

std::vector<std::string> violations() {
  const Lock lock(world().mutex);
  return world().violations;
}

int last_error() { return thread_error(); }

void force_sums(std::optional<double> sum) {
  const Lock lock(world().mutex);
  world().forced_sum = sum;
}

void set_driver_version(int version) { world().driver_version = version; }

void set_device_count(int count) { world().device_count = count; }

void set_device_memory(std::size_t bytes) { world().device_memory = bytes; }

std::size_t device_bytes(int device) { return world().contexts[device].bytes; }

int current_device() {
  return context_stack().empty() ? -1 : context_stack().back()->device;
}

void enter_device(int device) {
  world().contexts[device].device = device;
  context_stack().push_back(&world().contexts[device]);
}

void leave_device() { context_stack().pop_back(); }

}  // namespace fake_cuda
