// Eigen, compiled for this very CPU, as its users have to.
#include <Eigen/Core>

#include "peer.h"

namespace peer {
namespace {

template <int order>
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, order>;
template <int order>
using In = Eigen::Map<const Matrix<order>>;
using Out = Eigen::Map<Matrix<Eigen::RowMajor>>;

}  // namespace

std::string kernel() { return Eigen::SimdInstructionSetsInUse(); }

unsigned threads() { return static_cast<unsigned>(Eigen::nbThreads()); }

void multiply(const Case& shape, const double* left, const double* right,
              double* output) {
  const auto m = static_cast<Eigen::Index>(shape.m);
  const auto n = static_cast<Eigen::Index>(shape.n);
  const auto k = static_cast<Eigen::Index>(shape.k);
  for (std::size_t i = 0; i < shape.count; ++i) {
    const In<Eigen::RowMajor> a(left + i * shape.m * shape.k, m, k);
    const double* b = right + i * shape.k * shape.n;
    Out c(output + i * shape.m * shape.n, m, n);
    if (shape.right_transposed) {
      c.noalias() = a * In<Eigen::ColMajor>(b, k, n);
    } else {
      c.noalias() = a * In<Eigen::RowMajor>(b, k, n);
    }
  }
}

}  // namespace peer
