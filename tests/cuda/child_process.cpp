#include "cuda/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace tandem {
namespace {

[[noreturn]] void be_the_child(const std::function<std::string()>& body,
                               bool run_exit_handlers, int to_parent) {
  const std::string text = body();
  const bool sent = write(to_parent, text.data(), text.size()) ==
                    static_cast<ssize_t>(text.size());
  close(to_parent);
  std::fflush(nullptr);
  if (run_exit_handlers) std::exit(sent ? 0 : 1);
  _exit(sent ? 0 : 1);
}

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = read(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

}  // namespace

std::string in_child(const std::function<std::string()>& body,
                     bool run_exit_handlers) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child");
  if (child == 0) {
    close(ends[0]);
    be_the_child(body, run_exit_handlers, ends[1]);
  }
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    return "exit " + std::to_string(WEXITSTATUS(status));
  return text;
}

}  // namespace tandem
