// A program of someone else: a product, an error caught by its type, and the
// version of headers and library.
#include <tandem/tandem.h>

#include <cstring>
#include <iostream>

namespace {

bool catches_by_type(const tandem::Tensor& a) {
  try {
    tandem::matmul(a, a);
  } catch (const tandem::ShapeError& error) {
    return std::strstr(error.what(), "matmul: ") == error.what();
  }
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  const tandem::Tensor a({2, 3}, {1, 2, 3, 4, 5, 6});
  const tandem::Tensor b({3, 2}, {7, 8, 9, 10, 11, 12});
  const tandem::Tensor product = tandem::matmul(a, b);
  for (double value : product.values()) std::cout << value << ' ';
  std::cout << tandem::version() << '\n';

  if (!catches_by_type(a)) return 1;
  if (count != 2 || std::strcmp(arguments[1], TANDEM_VERSION) != 0) return 2;
  return std::strcmp(tandem::version(), TANDEM_VERSION) == 0 ? 0 : 3;
}
