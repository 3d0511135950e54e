// A shared library opened for the life of the process.
#pragma once

#include <string>

namespace tandem::cuda {

/// An opened library, or the reason why it could not be. It is never closed:
/// function pointers into it are handed out, and CUDA's libraries do not stand
/// being unloaded.
class SharedLibrary {
 public:
  /// Opens a path, or a soname through the system's loader.
  static SharedLibrary open(const std::string& name);

  /// The library of that soname if the process already has it.
  static SharedLibrary already_loaded(const std::string& soname);

  bool is_open() const { return handle_ != nullptr; }

  /// What the loader said when it is not open.
  const std::string& error() const { return error_; }

  /// The file that was opened.
  std::string file() const;

  /// Null where the library does not have the symbol.
  void* find(const char* symbol) const;

  /// Whether both are the very same loaded library.
  bool operator==(const SharedLibrary& other) const {
    return handle_ == other.handle_;
  }

 private:
  SharedLibrary(const std::string& name, int flags);

  void* handle_;
  std::string name_;
  std::string error_;
};

}  // namespace tandem::cuda
