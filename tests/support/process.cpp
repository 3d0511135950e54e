#include "support/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

void open_as(int descriptor, const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(127);
}

[[noreturn]] void become(const std::filesystem::path& program,
                         const std::vector<std::string>& arguments,
                         const ProcessOptions& options) {
  // A parent in the background may have left interrupts ignored.
  ::signal(SIGINT, SIG_DFL);
  for (const auto& [name, value] : options.environment) {
    if (value.empty()) {
      ::unsetenv(name.c_str());
    } else {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  std::vector<char*> list{const_cast<char*>(program.c_str())};
  for (const auto& argument : arguments) {
    list.push_back(const_cast<char*>(argument.c_str()));
  }
  list.push_back(nullptr);
  ::execv(program.c_str(), list.data());
  ::_exit(127);
}

// Whether the process has a handler of its own for the signal.
bool handles(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::string field;
  while (status >> field) {
    if (field != "SigCgt:") continue;
    unsigned long long caught = 0;
    status >> std::hex >> caught;
    return (caught >> (signal - 1) & 1) != 0;
  }
  return false;
}

void send_when_handled(pid_t process, int signal) {
  for (int i = 0; i < 10000 && !handles(process, signal); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(process, signal);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ProcessResult run_process(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          const ProcessOptions& options) {
  const testing_support::TemporaryFolder folder;
  const auto out = folder.path() / "stdout";
  const auto err = folder.path() / "stderr";
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    open_as(1, options.stdout_to.empty() ? out : options.stdout_to);
    open_as(2, err);
    become(program, arguments, options);
  }
  if (options.signal != 0) send_when_handled(child, options.signal);
  ProcessResult result;
  result.code = wait_for(child);
  result.out = testing_support::content_of(out);
  result.err = testing_support::content_of(err);
  if (result.code == 127) {
    throw std::runtime_error("cannot run " + program.string());
  }
  return result;
}

}  // namespace tandem::test
