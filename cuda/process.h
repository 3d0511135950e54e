// What a process may still do with CUDA: nothing after a fork in the child,
// and nothing once the process is ending.
#pragma once

#include <sys/types.h>

namespace tandem::cuda {

/// Remembers the process in which a device was opened.
class ProcessMark {
 public:
  ProcessMark();

  /// True in a forked child: CUDA's state does not survive a fork.
  bool is_inherited() const;

  /// Whether native objects may still be used and released.
  bool permits_native_calls() const;

 private:
  pid_t process_;
};

/// True once exit handlers run. Objects that are destroyed after that must
/// leave the libraries alone: they take themselves down in their own handlers.
bool process_is_ending();

}  // namespace tandem::cuda
