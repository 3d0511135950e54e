#include "command.h"

#include <tandem/nn/file.h>
#include <tandem/tensor/error.h>

#include <cstdio>
#include <iostream>

#include "json.h"
#include "text_output.h"

namespace tandem::cli {
namespace {

int fail(ExitCode code, const std::exception& error) {
  std::cerr << "tandem: " << error.what() << '\n';
  return static_cast<int>(code);
}

std::string names_a_file(const std::string& name) {
  return name.empty() ? "names no file" : "";
}

}  // namespace

void write_text(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0) {
    throw FileError("output: cannot be written: stdout");
  }
}

void Output::add_options(CLI::App& app) {
  app.add_option("--output", path,
                 "Write the document to this file instead of stdout")
      ->type_name("FILE")
      ->check(names_a_file);
}

void Output::write(const nlohmann::ordered_json& document) const {
  const std::string text = pretty(document);
  if (path.empty()) {
    write_text(text);
  } else {
    nn::write_file(path, text);
  }
}

void PageOutput::add_options(CLI::App& app) {
  app.add_option("--html", path,
                 "Also write a page that shows the document, for a browser")
      ->type_name("FILE")
      ->check(names_a_file);
}

void PageOutput::write(const std::string& page) const {
  nn::write_file(path, page);
}

int run(const Command& command) {
  try {
    return static_cast<int>(command());
  } catch (const ExecutionError& error) {
    return fail(ExitCode::device_unavailable, error);
  } catch (const FileError& error) {
    return fail(ExitCode::bad_file, error);
  } catch (const NonfiniteError& error) {
    return fail(ExitCode::comparison_failed, error);
  } catch (const std::exception& error) {
    // Sizes come from options: what was asked for makes no sense, or needs more
    // memory than there is.
    return fail(ExitCode::usage, error);
  }
}

}  // namespace tandem::cli
