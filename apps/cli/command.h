// What every command shares: exit codes, and where its one document goes.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace tandem::cli {

enum class ExitCode {
  done = 0,
  comparison_failed = 1,
  usage = 2,
  device_unavailable = 3,
  bad_file = 4,
  interrupted = 130,
};

/// An option, or a combination of options, that makes no sense.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A command does its work after all options were read.
using Command = std::function<ExitCode()>;

/// Where the document goes: stdout, or the file of --output.
struct Output {
  std::string path;

  void add_options(CLI::App& app);
  /// Writes it whole. Throws FileError.
  void write(const nlohmann::ordered_json& document) const;
};

/// Where a page for people goes, beside the document: the file of --html.
struct PageOutput {
  std::string path;

  void add_options(CLI::App& app);
  bool is_wanted() const { return !path.empty(); }
  /// Writes it whole. Throws FileError.
  void write(const std::string& page) const;
};

/// Runs a command, and turns what it throws into a message on stderr and an
/// exit code.
int run(const Command& command);

void add_compare(CLI::App& app, Command& chosen);
void add_demo(CLI::App& app, Command& chosen);
void add_devices(CLI::App& app, Command& chosen);
void add_evaluate(CLI::App& app, Command& chosen);
void add_generate(CLI::App& app, Command& chosen);
void add_trace(CLI::App& app, Command& chosen);

}  // namespace tandem::cli
