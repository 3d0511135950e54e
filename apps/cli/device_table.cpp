#include "device_table.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tandem::cli {
namespace {

using Row = std::vector<std::string>;

// What a library or a path says of itself must not steer the terminal.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; },
      ' ');
  return text;
}

// Columns as wide as their widest cell, two spaces apart; the last is free.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    text += "  ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text +=
          printable(row[i]) + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    text += printable(row.back()) + '\n';
  }
  return text;
}

// One decimal in the unit that fits: "139.8 GiB".
std::string memory_text(std::size_t bytes) {
  const bool large = bytes >= (std::size_t{1} << 30);
  const std::size_t unit = std::size_t{1} << (large ? 30 : 20);
  const std::size_t whole = bytes / unit;
  const std::size_t tenths = bytes % unit * 10 / unit;
  return std::to_string(whole) + "." + std::to_string(tenths) +
         (large ? " GiB" : " MiB");
}

std::string device_rows(const DeviceReport& report, unsigned cpu_threads) {
  std::vector<Row> rows{
      {"DEVICE", "NAME", "MEMORY", "COMPUTE CAPABILITY"},
      {"cpu", std::to_string(cpu_threads) + " threads", "-", "-"}};
  for (const CudaDeviceReport& device : report.devices) {
    rows.push_back({"cuda:" + std::to_string(device.ordinal), device.name,
                    memory_text(device.memory_bytes),
                    device.compute_capability});
  }
  return aligned(rows);
}

std::string library_rows(const DeviceReport& report) {
  std::vector<Row> rows{{"LIBRARY", "VERSION", "FILE"}};
  for (const LibraryReport& library : report.libraries) {
    rows.push_back({library.name, library.version, library.file});
  }
  return aligned(rows);
}

std::string search_rows(const DeviceReport& report) {
  std::vector<Row> rows{{"TRIED", "RESULT"}};
  for (const SearchStep& step : report.search) {
    rows.push_back({step.path, step.said});
  }
  return aligned(rows);
}

std::string problem_lines(const DeviceReport& report) {
  std::string text;
  for (const CudaProblem& problem : report.problems) {
    text += "  " + printable(problem.message) + "\n    -> " +
            printable(problem.advice) + '\n';
  }
  return text;
}

}  // namespace

std::string device_table(const DeviceReport& report, unsigned cpu_threads) {
  std::string text = device_rows(report, cpu_threads);
  if (!report.libraries.empty()) text += '\n' + library_rows(report);
  if (!report.math.empty()) {
    text += "\n  Products: " + printable(report.math) +
            (report.emulation_requested
                 ? ", although the environment asks for emulation\n"
                 : "\n");
  }
  if (!report.search.empty()) text += '\n' + search_rows(report);
  if (report.problems.empty()) return text;
  return text + "\n  CUDA cannot be used:\n" + problem_lines(report);
}

}  // namespace tandem::cli
