#include "progress_bar.h"

#include <unistd.h>

#include <iostream>
#include <utility>

namespace tandem::cli {

ProgressBar::ProgressBar(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      on_terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (on_terminal_) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressBar::show(std::size_t done) {
  if (!on_terminal_) return;
  std::cerr << "\r\x1b[K" << progress_line(what_, done, total_) << std::flush;
}

std::string progress_line(const std::string& what, std::size_t done,
                          std::size_t total) {
  constexpr std::size_t width = 30;
  const std::size_t full = total == 0 ? width : done * width / total;
  return what + " [" + std::string(full, '#') + std::string(width - full, '.') +
         "] " + std::to_string(done) + "/" + std::to_string(total);
}

}  // namespace tandem::cli
