// What a test may ask of the fake CUDA: faults to plant, objects to count.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#define FAKE_CUDA_API __attribute__((visibility("default")))

namespace fake_cuda {

/// One entry point fails at one of its calls, counted from 0 since the fault
/// was planted, or at that call and at all that follow.
struct Fault {
  std::string function;
  std::size_t call = 0;
  int status = 0;
  bool persistent = false;
};

/// Objects that exist now, and nesting of the calling thread's contexts.
struct Live {
  std::size_t contexts = 0;  ///< retained
  std::size_t device_buffers = 0;
  std::size_t registrations = 0;
  std::size_t streams = 0;
  std::size_t events = 0;
  std::size_t handles = 0;
  std::size_t pushed_contexts = 0;

  friend bool operator==(const Live&, const Live&) = default;
  friend std::ostream& operator<<(std::ostream& stream, const Live& live) {
    return stream << live.contexts << " contexts, " << live.device_buffers
                  << " device buffers, " << live.registrations
                  << " registrations, " << live.streams << " streams, "
                  << live.events << " events, " << live.handles << " handles, "
                  << live.pushed_contexts << " pushed";
  }
};

/// Plants faults in place of those before, and counts calls from 0 again.
FAKE_CUDA_API void plant(const std::vector<Fault>& faults);

/// How many planted faults have struck so far.
FAKE_CUDA_API std::size_t faults_struck();

/// Calls of each entry point since plant().
FAKE_CUDA_API std::map<std::string, std::size_t> calls();

FAKE_CUDA_API Live live();

/// What no correct program does: a context made behind the caller's back, an
/// access outside an allocation, ...
FAKE_CUDA_API std::vector<std::string> violations();

/// The calling thread's last runtime error, left as it is.
FAKE_CUDA_API int last_error();

/// Makes every sum of magnitudes come out as this, until it is given nothing.
FAKE_CUDA_API void force_sums(std::optional<double> sum);

/// As cuDriverGetVersion numbers it; 13000 unless set.
FAKE_CUDA_API void set_driver_version(int version);

/// 2 unless set.
FAKE_CUDA_API void set_device_count(int count);

/// Memory of each device; 1 GiB unless set.
FAKE_CUDA_API void set_device_memory(std::size_t bytes);

/// Bytes allocated on a device now.
FAKE_CUDA_API std::size_t device_bytes(int device);

/// The device whose context is the calling thread's current one; -1 if none.
FAKE_CUDA_API int current_device();

/// Makes a device's context the calling thread's current one, as a program
/// around the library might.
FAKE_CUDA_API void enter_device(int device);
FAKE_CUDA_API void leave_device();

}  // namespace fake_cuda
