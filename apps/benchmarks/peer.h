// Peer: one library's product, alone in its process.
#pragma once

#include <cstddef>
#include <string>

namespace peer {

/// `count` products of contiguous row-major matrices: left [m, k] times right
/// [k, n], or right given as [n, k] where it is transposed.
struct Case {
  std::string name;
  std::size_t m;
  std::size_t n;
  std::size_t k;
  std::size_t count = 1;
  bool right_transposed = false;
};

/// The kernel that the library picked for this CPU, in its own words.
std::string kernel();

/// The threads that the library will use.
unsigned threads();

void multiply(const Case& shape, const double* left, const double* right,
              double* output);

}  // namespace peer
