// A gradient through a product, and where its two products run.
//
// loss = sum(X W). The derivative of a product is two more products: with G the
// upstream gradient, dX = G W^T and dW = X^T G. A GPU that is used on the way
// forward and not on the way back would leave two thirds of the work where it
// was. So the choice of a device must reach backward, and it does so in plain
// sight: a context is passed to the functions, and an execution to backward().
// Nothing remembers a default device for you.
//
// Which work is independent, and which is a reduction? Each cell of dX and of
// dW is independent of the others, and is itself a sum in ascending order. A
// parameter that is used twice receives two contributions: adding those is a
// reduction too, so their order is fixed by the order of the graph.
//
//   gradient [cpu|cuda]
#include <tandem/tandem.h>

#include <cmath>
#include <iostream>
#include <string>

namespace {

using tandem::ExecutionContext;
using tandem::Tensor;
namespace autograd = tandem::autograd;

Tensor inputs() { return Tensor({2, 3}, {1, 2, 3, 4, 5, 6}); }
Tensor weights() { return Tensor({3, 2}, {7, 8, 9, 10, 11, 12}); }

autograd::Variable loss(const autograd::Variable& w,
                        const ExecutionContext& execution) {
  const auto context = autograd::Context::recording().with_execution(execution);
  const autograd::Variable x = autograd::constant(inputs());
  return autograd::sum(autograd::matmul(x, w, context), context);
}

// The same derivative, asked of the loss itself: how much it grows when the
// weight at `index` grows by a little.
double measured_slope(std::size_t index) {
  const double step = 1.0 / 1024;  // exact in binary, so nothing is rounded
  double slope = 0;
  for (double sign : {1.0, -1.0}) {
    const Tensor base = weights();
    std::vector<double> moved(base.values().begin(), base.values().end());
    moved[index] += sign * step;
    const autograd::Parameter w(Tensor({3, 2}, moved));
    slope += sign * loss(w, {}).value().item() / (2 * step);
  }
  return slope;
}

ExecutionContext chosen(int count, char** arguments) {
  const bool on_cuda = count > 1 && std::string(arguments[1]) == "cuda";
  return on_cuda ? ExecutionContext::cuda() : ExecutionContext::cpu();
}

}  // namespace

int main(int count, char** arguments) try {
  const ExecutionContext execution = chosen(count, arguments);
  autograd::Parameter w{weights()};
  const autograd::Variable value = loss(w, execution);
  value.backward(execution);  // the reverse products run there too
  const Tensor gradient = w.gradient();

  std::cout << "loss = " << value.value().item() << '\n'
            << "d loss / d W =\n"
            << gradient << '\n';
  for (std::size_t i = 0; i < 6; ++i) {
    const double slope = measured_slope(i);
    std::cout << "W[" << i << "]: measured slope " << slope << '\n';
    if (std::abs(slope - gradient.values()[i]) > 1e-9) return 1;
  }
  return 0;
} catch (const tandem::Error& error) {
  std::cerr << error.what() << '\n';
  return 3;
}
