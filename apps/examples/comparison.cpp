// A comparison: is what one device computed what the CPU computes?
//
// The CPU path is specified to the last bit. A GPU adds up the terms of a cell
// in an order of its own, and each addition rounds, so its sums differ from the
// CPU's in the last places; that is the only difference we accept. The cells
// are independent, so one wrong cell does not blur into the others, and each is
// judged by itself: |actual - expected| <= 1e-12 + 1e-10 |expected|. The bounds
// were chosen before anything was measured. They are a criterion for reports,
// not a proven bound on the error of every product.
//
// Views are packed before they are sent, so a mistake there shows as cells that
// hold values of their neighbours: far outside the criterion. And since the
// choice of a device reaches backward, gradients are compared as well as
// values: a product that is right and a gradient that is not is a wrong answer.
//
//   comparison [cpu|cuda]
#include <tandem/tandem.h>

#include <iostream>
#include <string>

namespace {

using tandem::ExecutionContext;
using tandem::Tensor;
namespace autograd = tandem::autograd;
namespace compare = tandem::compare;

// A product, and the gradient of the sum of its squares, by name.
std::vector<compare::NamedTensor> compute(const ExecutionContext& execution) {
  const auto context = autograd::Context::recording().with_execution(execution);
  const autograd::Variable x =
      autograd::constant(Tensor({2, 3}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  autograd::Parameter w(Tensor({3, 2}, {0.7, 0.8, 0.9, 1.0, 1.1, 1.2}));
  const autograd::Variable y = autograd::matmul(x, w, context);
  autograd::sum(autograd::mul(y, y, context), context).backward(execution);
  return {{"product", y.value()}, {"gradient", w.gradient()}};
}

void report(const compare::Comparison& comparison) {
  std::cout << (comparison.passed ? "passed" : "failed") << '\n';
  for (const compare::TensorComparison& tensor : comparison.tensors) {
    std::cout << "  " << tensor.name << ": " << to_string(tensor.finding)
              << ", " << tensor.mismatches << " of " << tensor.count
              << " outside the criterion\n";
    if (tensor.mismatches == 0 || !tensor.worst) continue;
    std::cout << "    worst at flat index " << tensor.worst->index << ": "
              << tensor.worst->expected << " became " << tensor.worst->actual
              << '\n';
  }
}

// The same tensors, with one value of the product moved by `amount`.
std::vector<compare::NamedTensor> disturbed(
    std::vector<compare::NamedTensor> tensors, double amount) {
  Tensor& product = tensors.front().value;
  std::vector<double> values(product.values().begin(), product.values().end());
  values[1] += amount;
  product = Tensor(product.shape(), values);
  return tensors;
}

ExecutionContext chosen(int count, char** arguments) {
  const bool on_cuda = count > 1 && std::string(arguments[1]) == "cuda";
  return on_cuda ? ExecutionContext::cuda() : ExecutionContext::cpu();
}

}  // namespace

int main(int count, char** arguments) try {
  const auto expected = compute(ExecutionContext::cpu());
  const auto actual = compute(chosen(count, arguments));

  std::cout << "as computed: ";
  const compare::Comparison honest = compare::compare(expected, actual);
  report(honest);
  // A rounding more or less is admitted, a wrong value is not.
  std::cout << "product[1] off by 1e-14: ";
  report(compare::compare(expected, disturbed(actual, 1e-14)));
  std::cout << "product[1] off by 0.5: ";
  report(compare::compare(expected, disturbed(actual, 0.5)));
  return honest.passed ? 0 : 1;
} catch (const tandem::Error& error) {
  std::cerr << error.what() << '\n';
  return 3;
}
