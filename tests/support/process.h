// Runs a program as a user would: arguments, environment, two streams, a code.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tandem::test {

struct ProcessOptions {
  /// Set on top of the environment of this process; "" removes the variable.
  std::map<std::string, std::string> environment;
  /// Where stdout goes instead of into the result, such as /dev/full.
  std::filesystem::path stdout_to;
  /// Sent as soon as the program handles it; 0 sends none.
  int signal = 0;
};

struct ProcessResult {
  /// The exit code, or minus the signal that ended it.
  int code = 0;
  std::string out;
  std::string err;
};

/// Waits for the program to end. Throws std::runtime_error where it cannot be
/// started.
ProcessResult run_process(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          const ProcessOptions& options = {});

}  // namespace tandem::test
