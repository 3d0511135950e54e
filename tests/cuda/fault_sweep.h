// Fault injection: what every native call may answer, and what must hold after
// each answer that is not success.
#pragma once

#include <tandem/execution/context.h>
#include <tandem/tensor/error.h>

#include <cstddef>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "fake_cuda/control.h"

namespace tandem {

/// An entry point: the stage its failures are reported with, and statuses that
/// it is documented to give, with one that nobody documents at the end.
struct EntryPoint {
  std::string function;
  ExecutionStage stage;
  std::vector<int> statuses;
  /// Its failure has nobody to be told to, so the work goes on.
  bool is_release = false;

  friend std::ostream& operator<<(std::ostream& stream,
                                  const EntryPoint& entry) {
    return stream << entry.function;
  }
};

const std::vector<EntryPoint>& entry_points();

/// What the program under test does between opening and dropping a context.
using Scenario = std::function<void(const ExecutionContext&)>;

/// Plants faults, runs the scenario and checks what must hold after it. The
/// instances are counted, so that a test can ask for a number of them.
class FaultSweep {
 public:
  /// The scenario runs once without faults, to count its calls.
  explicit FaultSweep(Scenario scenario);

  /// Every status of the entry point at each of its calls, once and
  /// persistently.
  void run(const EntryPoint& entry);

  /// The same, but only with the first and the last status of the list.
  void run_briefly(const EntryPoint& entry);

  /// Each call of `entry` fails once, and with it each call of `second`, once
  /// and persistently.
  void run_with(const EntryPoint& entry, const EntryPoint& second);

  /// Where a request takes one wait, completed requests can be told from the
  /// outside, and the context's count is compared with that.
  void check_counters() { one_wait_per_request_ = true; }

  /// How many plans of all sweeps struck.
  static std::size_t faults_struck();

 private:
  void run(const EntryPoint& entry, const std::vector<int>& statuses);
  void run_with(const EntryPoint& entry, const fake_cuda::Fault& first,
                const EntryPoint& second);
  void run(const EntryPoint& entry, const std::vector<fake_cuda::Fault>& plan);
  void expect_completed_only(const EntryPoint& entry, std::size_t call,
                             const ExecutionContext& context);
  std::size_t calls_of(const EntryPoint& entry) const;

  Scenario scenario_;
  std::map<std::string, std::size_t> calls_;
  bool one_wait_per_request_ = false;
};

}  // namespace tandem
