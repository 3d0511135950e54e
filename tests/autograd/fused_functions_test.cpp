// Functions that compute several steps in one walk have the bits of the steps.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/finite_difference.h"
#include "support/thrown_message.h"

namespace tandem::autograd {
namespace {

using test::derivatives_agree;
using test::same_bits;
using test::spread;
using test::thrown_by;
using test::values_of;
using Operands = std::vector<Variable>;

constexpr double smallest = std::numeric_limits<double>::denorm_min();

// Gates at which silu or its derivative is 0, -0, tiny, or x itself.
const std::vector<double> edges{0.0,    -0.0,   smallest, -smallest,
                                1e-300, 36.0,   -36.0,    700.0,
                                -745.2, -800.0, 1.5,      -2.5};

template <class Function>
std::vector<Tensor> value_and_gradients(const std::vector<Tensor>& values,
                                        const Tensor& seed, Function function) {
  std::vector<Parameter> parameters(values.begin(), values.end());
  const Variable out = function(Operands(parameters.begin(), parameters.end()));
  out.backward(seed);
  std::vector<Tensor> found{out.value()};
  for (const Parameter& parameter : parameters) {
    found.push_back(parameter.gradient());
  }
  return found;
}

template <class Fused, class Steps>
void expect_same_bits(const std::vector<Tensor>& values, const Tensor& seed,
                      Fused fused, Steps steps) {
  const auto found = value_and_gradients(values, seed, fused);
  const auto expected = value_and_gradients(values, seed, steps);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(same_bits(found[i], expected[i])) << "tensor " << i;
  }
}

Variable swiglu_of(const Operands& in) { return swiglu(in[0], in[1]); }

Variable swiglu_steps(const Operands& in) { return mul(silu(in[0]), in[1]); }

TEST(SwigluFunction, HasTheBitsOfTheStepsItStandsFor) {
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{3, 0, 2}, Shape{5, 3}, Shape{2, 700, 17}}) {
    const std::vector<Tensor> values{spread(shape, -30.0, 30.0, 1),
                                     spread(shape, -2.0, 2.0, 2)};
    expect_same_bits(values, spread(shape, -1.0, 1.0, 3), swiglu_of,
                     swiglu_steps);
  }
}

TEST(SwigluFunction, HasTheBitsOfTheStepsAtItsEdges) {
  std::vector<double> gates, ups, seeds;
  for (const double gate : edges) {
    for (const double up : {-0.0, 0.0, -1.0, smallest, -1e-200}) {
      for (const double seed : {0.0, -0.0, 1.0, -smallest, 1e-200}) {
        gates.push_back(gate);
        ups.push_back(up);
        seeds.push_back(seed);
      }
    }
  }
  const Shape shape{gates.size()};
  expect_same_bits({Tensor(shape, gates), Tensor(shape, ups)},
                   Tensor(shape, seeds), swiglu_of, swiglu_steps);
}

TEST(SwigluFunction, ReadsViewsAndSharedNodes) {
  const auto twisted = [](auto function) {
    return [function](const Operands& in) {
      const Variable wide = transpose(in[0], 0, 1);
      return add(function({wide, transpose(in[1], 0, 1)}),
                 function({wide, wide}));
    };
  };
  expect_same_bits({spread({4, 3}, -3.0, 3.0, 1), spread({4, 3}, -3.0, 3.0, 2)},
                   spread({3, 4}, -1.0, 1.0, 3), twisted(swiglu_of),
                   twisted(swiglu_steps));
}

TEST(SwigluFunction, HasTheDerivativeOfItsFormula) {
  EXPECT_TRUE(derivatives_agree(
      swiglu_of, {spread({2, 3}, -3.0, 3.0, 1), spread({2, 3}, -3.0, 3.0, 2)}));
}

TEST(SwigluFunction, NamesShapesThatDiffer) {
  EXPECT_EQ(
      thrown_by<ShapeError>([] {
        swiglu(constant(Tensor::ones({2, 3})), constant(Tensor::ones({3})));
      }),
      "swiglu: shapes differ: [2, 3] [3]");
}

TEST(SwigluFunction, NamesWhatOverflows) {
  const Parameter gate(Tensor({2}, {1.0, 1e200}));
  const Parameter up(Tensor({2}, {1.0, 1e200}));
  EXPECT_EQ(thrown_by<NonfiniteError>([&] { swiglu(gate, up); }),
            "swiglu: result is not finite: element 1 is inf");
  EXPECT_EQ(thrown_by<NonfiniteError>([&] {
              swiglu(gate, constant(Tensor({2}, {0.0, 1e100})))
                  .backward(Tensor({2}, {0.0, 1e300}));
            }),
            "swiglu reverse: result is not finite: element 1 is inf");
  EXPECT_TRUE(same_bits(gate.gradient(), Tensor::zeros({2})));
}

auto softmax_of(double scale) {
  return [scale](const Operands& in) {
    return scaled_causal_softmax(in[0], scale);
  };
}

auto softmax_steps(double scale) {
  return [scale](const Operands& in) {
    return causal_softmax(mul(in[0], constant(scale)));
  };
}

TEST(ScaledCausalSoftmax, HasTheBitsOfTheStepsItStandsFor) {
  for (const double scale : {1.0, 0.5, 0.35355339059327373, 1e-3, 1e-310}) {
    for (const Shape& shape : {Shape{1, 1}, Shape{5, 5}, Shape{2, 3, 41, 41}}) {
      expect_same_bits({spread(shape, -40.0, 40.0, 1)},
                       spread(shape, -1.0, 1.0, 2), softmax_of(scale),
                       softmax_steps(scale));
    }
  }
}

TEST(ScaledCausalSoftmax, ReadsTransposedScores) {
  const auto transposed = [](auto function) {
    return [function](const Operands& in) {
      return function({transpose(in[0], 0, 1)});
    };
  };
  expect_same_bits({spread({7, 7}, -4.0, 4.0, 1)}, spread({7, 7}, -1.0, 1.0, 2),
                   transposed(softmax_of(0.25)),
                   transposed(softmax_steps(0.25)));
}

TEST(ScaledCausalSoftmax, HasTheDerivativeOfItsFormula) {
  EXPECT_TRUE(
      derivatives_agree(softmax_of(0.3), {spread({2, 4, 4}, -2.0, 2.0, 1)}));
}

TEST(ScaledCausalSoftmax, RefusesAScaleThatCouldLoseAScore) {
  const Variable scores = constant(Tensor::ones({2, 2}));
  for (const double scale : {0.0, -1.0, 1.5, std::nan("")}) {
    EXPECT_EQ(
        thrown_by<ModelError>([&] { scaled_causal_softmax(scores, scale); }),
        "scaled_causal_softmax: scale is not in (0, 1]: " +
            std::to_string(scale));
  }
}

}  // namespace
}  // namespace tandem::autograd
