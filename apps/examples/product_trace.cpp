// A product of two small matrices, and the way one of its cells is computed.
//
// Which work is independent, and which is a reduction? [2, 3] x [3, 2] has four
// cells. No cell reads another, so they may be computed in any order, or at the
// same time: that is where threads and a GPU gain. Inside a cell, though, three
// products become one number. That is a reduction, and its order is part of the
// result, because every addition rounds. Here it starts at 0 and k ascends, on
// any number of threads, so the bits are always the same.
//
// Why are views packed? A view is a shape and strides over values that are not
// moved; the transpose below is one. A GPU's product reads memory in one of a
// few regular layouts, so what it is given is a packed copy: row-major, with
// nothing between the values. The CPU reads through the strides. Both see the
// same matrix, which is why the two last lines are equal.
#include <tandem/tandem.h>

#include <iostream>

namespace {

void trace(const tandem::Tensor& left, const tandem::Tensor& right,
           std::size_t row, std::size_t column) {
  double sum = 0.0;
  for (std::size_t k = 0; k < left.shape()[1]; ++k) {
    const double a = left.at({row, k});
    const double b = right.at({k, column});
    std::cout << "  k = " << k << ": " << sum << " + " << a << " * " << b;
    sum += a * b;
    std::cout << " = " << sum << '\n';
  }
}

}  // namespace

int main() {
  const tandem::Tensor left({2, 3}, {1, 2, 3, 4, 5, 6});
  const tandem::Tensor right({3, 2}, {7, 8, 9, 10, 11, 12});
  const tandem::Tensor product = tandem::matmul(left, right);
  std::cout << "left x right =\n" << product << '\n';

  // Row-major: a row is `columns` values long, so cell (0, 1) lies at 0 * 2
  // + 1.
  const std::size_t row = 0;
  const std::size_t column = 1;
  const std::size_t flat = row * product.shape()[1] + column;
  std::cout << "cell (0, 1) is flat index " << flat << ":\n";
  trace(left, right, row, column);
  std::cout << "values()[" << flat << "] = " << product.values()[flat] << '\n';

  // [3, 2], made of right's own values: only the strides are exchanged.
  const tandem::TensorView turned = right.view().transpose(0, 1);
  std::cout << "the transpose has shape " << to_string(turned.shape())
            << ", strides " << turned.strides()[0] << " and "
            << turned.strides()[1] << '\n';
  const tandem::Tensor packed = turned.materialize();
  std::cout << "through the view: " << tandem::matmul(turned, right).at({0, 1})
            << '\n'
            << "packed first:     " << tandem::matmul(packed, right).at({0, 1})
            << '\n';
  return 0;
}
