// The bound function tables of the CUDA libraries and where they came from.
// Once made they live as long as the process.
#pragma once

#include <string>
#include <type_traits>

#include "cuda/abi/blas.h"
#include "cuda/abi/driver.h"
#include "cuda/abi/runtime.h"

namespace tandem::cuda {

#define TANDEM_CUDA_MEMBER(member, symbol, ...) \
  std::add_pointer_t<__VA_ARGS__> member = nullptr;

struct DriverTable {
  using DriverStatus = abi::DriverStatus;
  using DriverDevice = abi::DriverDevice;
  using DriverContext = abi::DriverContext;
  using DriverAttribute = abi::DriverAttribute;
  TANDEM_CUDA_DRIVER_SYMBOLS(TANDEM_CUDA_MEMBER)
};

struct RuntimeTable {
  using RuntimeStatus = abi::RuntimeStatus;
  using RuntimeStream = abi::RuntimeStream;
  using RuntimeEvent = abi::RuntimeEvent;
  using CopyKind = abi::CopyKind;
  TANDEM_CUDA_RUNTIME_SYMBOLS(TANDEM_CUDA_MEMBER)
};

struct BlasLtTable {
  TANDEM_CUDA_CUBLAS_LT_SYMBOLS(TANDEM_CUDA_MEMBER)
};

struct BlasTable {
  using RuntimeStream = abi::RuntimeStream;
  using BlasStatus = abi::BlasStatus;
  using BlasHandle = abi::BlasHandle;
  using BlasOperation = abi::BlasOperation;
  using BlasMath = abi::BlasMath;
  using BlasPointerMode = abi::BlasPointerMode;
  using BlasAtomics = abi::BlasAtomics;
  using LibraryProperty = abi::LibraryProperty;
  TANDEM_CUDA_CUBLAS_SYMBOLS(TANDEM_CUDA_MEMBER)
};

#undef TANDEM_CUDA_MEMBER

/// An opened library: the name it was asked for by and the file it is.
struct LoadedLibrary {
  std::string file;
  int version = 0;  ///< as the library numbers itself, for example 13000
};

struct DriverApi {
  DriverTable call;
  LoadedLibrary library;
};

/// The runtime and cuBLAS of one major from one place.
struct ToolkitApi {
  RuntimeTable runtime;
  BlasLtTable blas_lt;
  BlasTable blas;
  LoadedLibrary runtime_library;
  LoadedLibrary blas_lt_library;
  LoadedLibrary blas_library;
};

/// All that a device needs. Both point to immortal tables.
struct Api {
  const DriverApi* driver = nullptr;
  const ToolkitApi* toolkit = nullptr;
};

}  // namespace tandem::cuda
