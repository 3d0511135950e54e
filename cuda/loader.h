// Opens the CUDA libraries at run time, in a fixed order, and says of every
// path that was tried what came of it.
#pragma once

#include <string>
#include <vector>

#include "cuda/api.h"

namespace tandem::cuda {

/// Where to look.
struct LoadOptions {
  /// Colon-separated directories. When it is not empty the toolkit comes from
  /// there and nowhere else. Empty: TANDEM_CUDA_LIBRARY_DIR of the environment
  /// takes its place, and without that the usual places are searched.
  std::string library_directories;
};

/// One path that was tried.
struct Attempt {
  std::string path;
  std::string said;  ///< "loaded", or why not
};

/// The directories that the options and the environment name; empty means the
/// usual places.
std::vector<std::string> chosen_directories(const LoadOptions& options);

/// Opens libcuda.so.1. Throws ExecutionError, stage driver, if there is none or
/// it is older than CUDA 12.
const DriverApi& load_driver(const std::vector<std::string>& directories,
                             std::vector<Attempt>& attempts);

/// Opens cudart, cublasLt and cublas of one major, not newer than the driver,
/// from one place. Throws ExecutionError, stage library, if there is none.
const ToolkitApi& load_toolkit(const std::vector<std::string>& directories,
                               int driver_version,
                               std::vector<Attempt>& attempts);

/// Both; what was found is kept for the next call with the same directories.
Api load(const LoadOptions& options);

/// "13.0" for 13000, the way the driver and the runtime number themselves.
std::string version_text(int version);

/// "13.1.0" for 130100, the way cuBLAS numbers itself.
std::string blas_version_text(int version);

}  // namespace tandem::cuda
