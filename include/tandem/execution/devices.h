// DeviceReport: what of CUDA is there, where it was looked for, and what to do
// about that which is missing.
#pragma once

#include <tandem/execution/cuda_options.h>
#include <tandem/export.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tandem {

struct LibraryReport {
  std::string name;     ///< "libcublas"
  std::string file;     ///< the file that was taken
  std::string version;  ///< "13.1.0"
};

struct CudaDeviceReport {
  std::size_t ordinal = 0;
  std::string name;
  std::size_t memory_bytes = 0;
  std::string compute_capability;  ///< "9.0"
};

/// One path that was tried, and "loaded" or why not.
struct SearchStep {
  std::string path;
  std::string said;
};

/// Something that keeps CUDA from being used.
struct CudaProblem {
  std::string message;  ///< as ExecutionContext::cuda would say it
  std::string advice;   ///< what to do about it
};

struct DeviceReport {
  /// The only folders searched, where options or environment name some.
  std::vector<std::string> directories;
  std::vector<SearchStep> search;
  /// The driver, and what of the toolkit was taken.
  std::vector<LibraryReport> libraries;
  std::vector<CudaDeviceReport> devices;
  /// How products are computed: "native F64".
  std::string math;
  /// Whether the environment asks cuBLAS to emulate F64, which is held off.
  bool emulation_requested = false;
  /// Empty where everything is there.
  std::vector<CudaProblem> problems;
};

/// Looks for CUDA as ExecutionContext::cuda does, without making a context on a
/// device. What is missing is reported, never thrown.
TANDEM_API DeviceReport probe_cuda(const CudaOptions& options = {});

}  // namespace tandem
