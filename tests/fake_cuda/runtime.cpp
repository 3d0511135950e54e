// A fake libcudart, of the major that FAKE_CUDA_MAJOR names.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "fake_cuda/world.h"

using namespace fake_cuda;

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int memory_allocation = 2;
constexpr int invalid_resource_handle = 400;
constexpr int already_registered = 712;
constexpr int not_registered = 713;

constexpr int host_to_device = 1;
constexpr int device_to_host = 2;

// Fresh memory reads as NaN.
constexpr int poison = 0xFF;
constexpr std::size_t poisoned_bytes = std::size_t{32} << 20;

// A file of poison, mapped anew for every allocation, is cheaper than writing
// poison anew.
int file_of_poison() {
  static const int file = [] {
    const int made = memfd_create("poison", 0);
    const std::vector<char> bytes(poisoned_bytes, static_cast<char>(poison));
    const auto written = write(made, bytes.data(), bytes.size());
    return written == static_cast<ssize_t>(bytes.size()) ? made : -1;
  }();
  return file;
}

// Page-aligned, which is more than the 256 bytes that cudaMalloc promises.
void* fresh_memory(std::size_t bytes) {
  const int access = PROT_READ | PROT_WRITE;
  const bool from_file = bytes <= poisoned_bytes && file_of_poison() >= 0;
  const int flags = from_file ? MAP_PRIVATE : MAP_PRIVATE | MAP_ANONYMOUS;
  void* memory =
      mmap(nullptr, bytes, access, flags, from_file ? file_of_poison() : -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (!from_file) std::memset(memory, poison, bytes);
  return memory;
}

int finish(int status) {
  if (status != success) thread_error() = status;
  return status;
}

int begin(const char* function) {
  if (const int planted = world().enter(function)) return finish(planted);
  return finish(world().current()->sticky_error);
}

std::shared_ptr<Stream> find(Stream* stream) {
  const auto found = world().streams.find(stream);
  return found == world().streams.end() ? nullptr : found->second;
}

// A launch into a stream of another context is refused.
bool is_launchable(const std::shared_ptr<Stream>& stream) {
  return stream != nullptr && stream->context == world().current();
}

// From pageable memory the driver takes its copy before the call returns.
std::function<void()> copy_in(void* to, const void* from, std::size_t bytes) {
  if (world().is_registered(from, bytes))
    return [=] { std::memcpy(to, from, bytes); };
  const auto* begin = static_cast<const char*>(from);
  const auto staged = std::make_shared<std::vector<char>>(begin, begin + bytes);
  return [=] { std::memcpy(to, staged->data(), bytes); };
}

}  // namespace

extern "C" {

FAKE_CUDA_API int cudaRuntimeGetVersion(int* version) {
  const Lock lock(world().mutex);
  if (const int planted = world().enter("cudaRuntimeGetVersion"))
    return finish(planted);
  *version = FAKE_CUDA_MAJOR * 1000;
  return success;
}

FAKE_CUDA_API int cudaGetLastError() {
  const Lock lock(world().mutex);
  world().enter("cudaGetLastError");
  const int error = thread_error();
  thread_error() = success;
  return error;
}

FAKE_CUDA_API int cudaMalloc(void** memory, std::size_t bytes) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaMalloc")) return status;
  Context* context = world().current();
  if (bytes > world().device_memory - context->bytes)
    return finish(memory_allocation);
  void* fresh = fresh_memory(bytes);
  if (fresh == nullptr) return finish(memory_allocation);
  world().allocations[static_cast<char*>(fresh)] = {bytes, context};
  context->bytes += bytes;
  *memory = fresh;
  return success;
}

// May report an error of earlier work, but frees all the same.
FAKE_CUDA_API int cudaFree(void* memory) {
  const Lock lock(world().mutex);
  const int status = begin("cudaFree");
  if (memory == nullptr) return status;
  const auto found = world().allocations.find(static_cast<char*>(memory));
  if (found == world().allocations.end()) return finish(invalid_value);
  world().drain(found->second.context);
  found->second.context->bytes -= found->second.bytes;
  munmap(memory, found->second.bytes);
  world().allocations.erase(found);
  return status;
}

FAKE_CUDA_API int cudaHostRegister(void* memory, std::size_t bytes,
                                   unsigned int flags) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaHostRegister")) return status;
  if (memory == nullptr || bytes == 0 || flags > 15)
    return finish(invalid_value);
  if (world().is_registered(memory, 1)) return finish(already_registered);
  world().registrations[static_cast<char*>(memory)] = bytes;
  return success;
}

FAKE_CUDA_API int cudaHostUnregister(void* memory) {
  const Lock lock(world().mutex);
  const int status = begin("cudaHostUnregister");
  if (world().registrations.erase(static_cast<char*>(memory)) == 0)
    return finish(not_registered);
  return status;
}

FAKE_CUDA_API int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes,
                                  int kind, Stream* handle) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaMemcpyAsync")) return status;
  const auto stream = find(handle);
  if (!is_launchable(stream)) return finish(invalid_resource_handle);
  const bool in = kind == host_to_device;
  if ((!in && kind != device_to_host) ||
      !world().on_device(in ? to : from, bytes))
    return finish(invalid_value);
  if (in) {
    stream->push(copy_in(to, from, bytes));
    return success;
  }
  stream->push([=] { std::memcpy(to, from, bytes); });
  // To pageable memory the call returns only once the copy is complete.
  if (!world().is_registered(to, bytes)) stream->run_all();
  return success;
}

FAKE_CUDA_API int cudaStreamCreateWithFlags(Stream** stream,
                                            unsigned int flags) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaStreamCreateWithFlags")) return status;
  if (flags > 1) return finish(invalid_value);
  auto made = std::make_shared<Stream>();
  made->context = world().current();
  *stream = made.get();
  world().streams[made.get()] = std::move(made);
  return success;
}

FAKE_CUDA_API int cudaStreamDestroy(Stream* handle) {
  const Lock lock(world().mutex);
  const int status = begin("cudaStreamDestroy");
  const auto stream = find(handle);
  if (stream == nullptr) return finish(invalid_resource_handle);
  stream->run_all();
  world().streams.erase(handle);
  return status;
}

FAKE_CUDA_API int cudaStreamSynchronize(Stream* handle) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaStreamSynchronize")) return status;
  const auto stream = find(handle);
  if (stream == nullptr) return finish(invalid_resource_handle);
  stream->run_all();
  return finish(stream->context->sticky_error);
}

FAKE_CUDA_API int cudaStreamWaitEvent(Stream* handle, Event* event,
                                      unsigned int flags) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaStreamWaitEvent")) return status;
  const auto stream = find(handle);
  if (!is_launchable(stream) || world().events.count(event) == 0)
    return finish(invalid_resource_handle);
  if (flags > 1) return finish(invalid_value);
  // What was recorded by now counts; a later record does not.
  if (event->stream == nullptr) return success;
  stream->push([before = event->stream, position = event->position] {
    before->run_to(position);
  });
  return success;
}

FAKE_CUDA_API int cudaEventCreateWithFlags(Event** event, unsigned int flags) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaEventCreateWithFlags")) return status;
  if (flags > 7) return finish(invalid_value);
  *event = new Event;
  world().events.insert(*event);
  return success;
}

FAKE_CUDA_API int cudaEventRecord(Event* event, Stream* handle) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaEventRecord")) return status;
  const auto stream = find(handle);
  if (!is_launchable(stream) || world().events.count(event) == 0)
    return finish(invalid_resource_handle);
  event->stream = stream;
  event->position = stream->queued;
  return success;
}

FAKE_CUDA_API int cudaEventSynchronize(Event* event) {
  const Lock lock(world().mutex);
  if (const int status = begin("cudaEventSynchronize")) return status;
  if (world().events.count(event) == 0) return finish(invalid_resource_handle);
  if (event->stream != nullptr) event->stream->run_to(event->position);
  return success;
}

FAKE_CUDA_API int cudaEventDestroy(Event* event) {
  const Lock lock(world().mutex);
  const int status = begin("cudaEventDestroy");
  if (world().events.erase(event) == 0) return finish(invalid_resource_handle);
  delete event;
  return status;
}

}  // extern "C"
