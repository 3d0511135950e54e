// Shows that equality of bits means something on the benchmark's data: the
// product must equal the plain loop, the same sums in descending order must
// not, and neither must the same kernels with fused multiply-adds.
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "cpu/product.h"

namespace tandem::cpu {
// The AVX2 kernels, compiled once more with contraction allowed.
extern const KernelSet<double> fused_kernels;
}  // namespace tandem::cpu

namespace {

constexpr std::size_t n = 192;
constexpr std::ptrdiff_t row = n;
constexpr std::ptrdiff_t last = n - 1;

std::vector<double> random_values(std::mt19937_64& bits) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(n * n);
  for (double& value : values) value = uniform(bits);
  return values;
}

std::vector<double> plain(const std::vector<double>& left,
                          const std::vector<double>& right) {
  std::vector<double> output(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        output[i * n + j] += left[i * n + k] * right[k * n + j];
      }
    }
  }
  return output;
}

std::size_t differing(const std::vector<double>& a,
                      const std::vector<double>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += std::memcmp(&a[i], &b[i], sizeof a[i]) != 0;
  }
  return count;
}

}  // namespace

int main() {
  using namespace tandem::cpu;
  std::mt19937_64 bits(1);
  const std::vector<double> left = random_values(bits);
  const std::vector<double> right = random_values(bits);
  const std::vector<double> expected = plain(left, right);
  std::vector<double> output(n * n);
  const Product product{n,
                        n,
                        n,
                        {},
                        {left.data(), row, 1, {}},
                        {right.data(), row, 1, {}},
                        output.data()};
  multiply(product);
  const std::size_t ours = differing(output, expected);

  Product descending = product;
  descending.left = {left.data() + last, row, -1, {}};
  descending.right = {right.data() + last * row, -row, 1, {}};
  multiply(descending);
  const std::size_t reordered = differing(output, expected);

  multiply(product, 0, fused_kernels);
  const std::size_t fused = differing(output, expected);

  std::printf(
      "{\"cells\": %zu, \"product\": %zu, \"reordered\": %zu, \"fused\": "
      "%zu}\n",
      n * n, ours, reordered, fused);
  return ours == 0 && reordered > 0 && fused > 0 ? 0 : 1;
}
