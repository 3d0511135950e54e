// tandem itself; TANDEM_BENCHMARK_THREADS says how many threads.
#include <cstdlib>

#include "cpu/product.h"
#include "peer.h"

namespace peer {

std::string kernel() { return tandem::cpu::best_kernels().name; }

unsigned threads() {
  const char* text = std::getenv("TANDEM_BENCHMARK_THREADS");
  return text == nullptr ? 1 : static_cast<unsigned>(std::atoi(text));
}

void multiply(const Case& shape, const double* left, const double* right,
              double* output) {
  static const unsigned count = threads();
  const auto [name, m, n, k, batch, transposed] = shape;
  const std::ptrdiff_t left_strides[] = {static_cast<std::ptrdiff_t>(m * k)};
  const std::ptrdiff_t right_strides[] = {static_cast<std::ptrdiff_t>(k * n)};
  const std::size_t batch_shape[] = {batch};
  tandem::cpu::multiply(
      {m,
       n,
       k,
       batch_shape,
       {left, static_cast<std::ptrdiff_t>(k), 1, left_strides},
       {right, transposed ? 1 : static_cast<std::ptrdiff_t>(n),
        transposed ? static_cast<std::ptrdiff_t>(k) : 1, right_strides},
       output},
      count);
}

}  // namespace peer
