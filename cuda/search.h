// Where the CUDA libraries are looked for: a pure list of places, in order.
#pragma once

#include <string>
#include <vector>

namespace tandem::cuda {

/// The majors that we can use, in the order they are tried.
inline constexpr int supported_majors[] = {13, 12};

/// One candidate: the three libraries of one major from one place. A name
/// without a slash is left to the system's loader.
struct Place {
  int major = 0;
  std::string runtime;
  std::string blas_lt;
  std::string blas;
};

/// Splits a colon-separated list; empty segments are dropped, because to the
/// system's loader they would mean the working directory.
std::vector<std::string> split_directories(const std::string& list);

/// The three sonames of a major.
Place sonames(int major);

/// Candidates inside the given directories: each directory itself, then the
/// layouts of Python's packages below it or beside it.
std::vector<Place> places_in(const std::vector<std::string>& directories);

/// /usr/local/cuda*/lib64 and lib, those that exist, newest name first.
std::vector<std::string> toolkit_directories();

/// Libraries of major 11 in a directory: recognised so that they can be
/// refused by name.
std::vector<std::string> outdated_libraries(const std::string& directory);

}  // namespace tandem::cuda
