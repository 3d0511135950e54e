// ProgressBar: how far a command is, on stderr, on a terminal only.
#pragma once

#include <cstddef>
#include <string>

namespace tandem::cli {

class ProgressBar {
 public:
  ProgressBar(std::string what, std::size_t total);
  /// Clears the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done);

 private:
  std::string what_;
  std::size_t total_;
  bool on_terminal_;
};

/// `what [#####.....] 5/10`
std::string progress_line(const std::string& what, std::size_t done,
                          std::size_t total);

}  // namespace tandem::cli
