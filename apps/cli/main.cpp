// tandem: the command line. It parses, calls the library and prints.
#include <tandem/version.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "command.h"

namespace {

// A document was not printed yet, and files only appear complete.
extern "C" void interrupt(int) {
  _exit(static_cast<int>(tandem::cli::ExitCode::interrupted));
}

}  // namespace

int main(int argc, char** argv) {
  using tandem::cli::ExitCode;
  std::signal(SIGINT, interrupt);
  CLI::App app("Tensors whose GPU results can be trusted", "tandem");
  app.set_version_flag("--version", std::string("tandem ") + tandem::version());
  app.require_subcommand(1);
  tandem::cli::Command chosen;
  tandem::cli::add_demo(app, chosen);
  tandem::cli::add_compare(app, chosen);
  tandem::cli::add_devices(app, chosen);
  tandem::cli::add_trace(app, chosen);
  tandem::cli::add_generate(app, chosen);
  tandem::cli::add_evaluate(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, std::cout, std::cerr);
    return code == 0 ? 0 : static_cast<int>(ExitCode::usage);
  }
  return tandem::cli::run(chosen);
}
