// Every error the library throws: one base, a few types a caller would treat
// differently. A message reads `operation: reason: values`.
#pragma once

#include <tandem/export.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tandem {

/// Base of all errors of this library.
class TANDEM_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Shapes, axes, indices or extents that an operation cannot take.
class TANDEM_API ShapeError : public Error {
 public:
  using Error::Error;
};

/// A graph that cannot be walked backward: released, stale or untracked.
class TANDEM_API GraphError : public Error {
 public:
  using Error::Error;
};

/// A model configuration, or model input, that makes no sense.
class TANDEM_API ModelError : public Error {
 public:
  using Error::Error;
};

/// Bytes or tokens that a tokenizer cannot map.
class TANDEM_API TokenizerError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be read or written, or does not say what it should.
class TANDEM_API FileError : public Error {
 public:
  using Error::Error;
};

/// A value that is NaN or infinite where only finite values may be.
class TANDEM_API NonfiniteError : public Error {
 public:
  /// `index` is the flat row-major position of `value` in what `operation`
  /// looked at: its result unless `what` says otherwise.
  NonfiniteError(const std::string& operation, std::size_t index, double value,
                 const std::string& what = "result");

  const std::string& operation() const { return operation_; }
  std::size_t index() const { return index_; }
  double value() const { return value_; }

 private:
  std::string operation_;
  std::size_t index_;
  double value_;
};

/// The step of an execution that failed.
enum class ExecutionStage {
  feature,      ///< the build or the backend does not have it
  precision,    ///< this device does not compute in that precision
  library,      ///< a CUDA toolkit library is missing or unusable
  driver,       ///< the CUDA driver is missing, too old or failed to start
  device,       ///< there is no such device, or it cannot be used
  handle,       ///< a stream or cuBLAS handle could not be made or set up
  allocate,     ///< device or pinned memory could not be had
  copy,         ///< a copy between host and device failed
  gemm,         ///< a cuBLAS product, or the check of one, failed
  synchronize,  ///< waiting for the device failed
};

/// The stage's name as it is spelled above.
TANDEM_API const char* to_string(ExecutionStage stage);

/// A device that could not do what was asked. It is never answered by another
/// device's result.
class TANDEM_API ExecutionError : public Error {
 public:
  /// `code` is the native status and `code_name` its symbolic name; 0 and ""
  /// where no native call was involved.
  ExecutionError(ExecutionStage stage, const std::string& message, int code = 0,
                 std::string code_name = "");

  ExecutionStage stage() const { return stage_; }
  int code() const { return code_; }
  const std::string& code_name() const { return code_name_; }

 private:
  ExecutionStage stage_;
  int code_;
  std::string code_name_;
};

}  // namespace tandem
