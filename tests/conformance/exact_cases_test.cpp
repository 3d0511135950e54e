// Integer-valued cases with exact answers, over views of every kind.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/autograd/parameter.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/devices.h"
#include "support/json_tensors.h"
#include "support/python_slice.h"
#include "support/shared_directory.h"

namespace tandem::test {
namespace {

using nlohmann::json;

std::optional<std::int64_t> to_bound(const json& bound) {
  if (bound.is_null()) return std::nullopt;
  return bound.get<std::int64_t>();
}

TensorView apply_step(const TensorView& view, const json& step) {
  const auto op = step.at("op").get<std::string>();
  if (op == "slice") {
    return python_slice(view, step.at("axis").get<std::size_t>(),
                        to_bound(step.at("start")), to_bound(step.at("stop")),
                        step.at("step").get<std::int64_t>());
  }
  if (op == "permute") return view.permute(to_sizes(step.at("axes")));
  if (op == "expand") {
    return view.broadcast_to(Shape(to_sizes(step.at("shape"))));
  }
  const auto axis = step.at("axis").get<std::size_t>();
  if (op == "squeeze") return view.squeeze(axis);
  if (op == "unsqueeze") return view.unsqueeze(axis);
  if (op == "flip") return view.reverse(axis);
  throw std::runtime_error("unknown view: " + op);
}

void expect_stated_layout(const TensorView& view, const json& input) {
  EXPECT_EQ(view.shape(), Shape(to_sizes(input.at("shape"))));
  if (!input.contains("strides") || view.size() == 0) return;
  EXPECT_EQ(view.offset(), input.at("offset").get<std::size_t>());
  for (std::size_t axis = 0; axis < view.rank(); ++axis) {
    if (view.shape()[axis] == 1) continue;  // never taken
    EXPECT_EQ(view.strides()[axis],
              input.at("strides")[axis].get<std::ptrdiff_t>());
  }
}

TensorView build_view(const json& input) {
  TensorView view = Tensor(Shape(to_sizes(input.at("base_shape"))),
                           to_doubles(input.at("base_data")));
  for (const auto& step : input.at("views")) view = apply_step(view, step);
  expect_stated_layout(view, input);
  return view;
}

Tensor run(const json& test, const std::vector<TensorView>& views,
           const ExecutionContext& context) {
  const auto op = test.at("op").get<std::string>();
  const json& attributes = test.at("attrs");
  if (op == "matmul") {
    return context.matmul_with_transpose(
        views.at(0), views.at(1), attributes.at("transpose_left").get<bool>(),
        attributes.at("transpose_right").get<bool>());
  }
  const auto axis = attributes.at("axis").get<std::size_t>();
  const bool keep = attributes.at("keep_dim").get<bool>();
  if (op == "sum_axis") return context.sum_axis(views.at(0), axis, keep);
  if (op == "mean_axis") return context.mean_axis(views.at(0), axis, keep);
  throw std::runtime_error("unknown operation: " + op);
}

bool is_gradient(const json& test) {
  const auto op = test.at("op").get<std::string>();
  return op.size() > 5 && op.compare(op.size() - 5, 5, "_grad") == 0;
}

autograd::Variable differentiable(const json& test,
                                  const std::vector<autograd::Parameter>& x,
                                  const ExecutionContext& execution) {
  const auto op = test.at("op").get<std::string>();
  const auto context = autograd::Context().with_execution(execution);
  // One input stands for both operands where they are the same node.
  if (op == "matmul_grad")
    return autograd::matmul(x.front(), x.back(), context);
  if (op == "mul_grad") return autograd::mul(x.at(0), x.at(1), context);
  if (op == "add_grad") return autograd::add(x.at(0), x.at(1), context);
  throw std::runtime_error("unknown operation: " + op);
}

class ExactCases : public DeviceTest {
 protected:
  void check_file(const std::filesystem::path& path);
  void check(const json& test);
  void check_gradient(const json& test);
  void check_output(const json& test, const Tensor& output);
};

void ExactCases::check_file(const std::filesystem::path& path) {
  const json document = read_json(path);
  std::size_t checked = 0;
  for (const auto& test : document.at("cases")) {
    SCOPED_TRACE(test.at("name").get<std::string>());
    is_gradient(test) ? check_gradient(test) : check(test);
    ++checked;
  }
  EXPECT_GT(checked, 0u) << "no case was found";
}

void ExactCases::check_output(const json& test, const Tensor& output) {
  const Shape shape(to_sizes(test.at("output").at("shape")));
  const auto expected = to_doubles(test.at("output").at("data"));
  if (!rounds_as_specified() && test.contains("cuda_tol")) {
    const json& tolerance = test.at("cuda_tol");
    EXPECT_TRUE(close_to(output, shape, expected,
                         tolerance.at("rtol").get<double>(),
                         tolerance.at("atol").get<double>()));
    return;
  }
  EXPECT_TRUE(same_values(output, shape, expected));
}

// The loss of these cases is the sum of upstream times output.
void ExactCases::check_gradient(const json& test) {
  std::vector<autograd::Parameter> parameters;
  for (const auto& input : test.at("inputs")) {
    parameters.emplace_back(build_view(input).materialize());
  }
  differentiable(test, parameters, context())
      .backward(to_tensor(test.at("upstream")), autograd::Graph::retain,
                context());
  const json& outputs = test.at("outputs");
  ASSERT_EQ(outputs.size(), parameters.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_TRUE(same_values(parameters[i].gradient(),
                            Shape(to_sizes(outputs[i].at("shape"))),
                            to_doubles(outputs[i].at("data"))));
  }
}

void ExactCases::check(const json& test) {
  std::vector<TensorView> views;
  for (const auto& input : test.at("inputs")) {
    views.push_back(build_view(input));
  }
  const ExecutionStats before = context().stats();
  if (test.value("expect", "") == "error") {
    EXPECT_THROW(run(test, views, context()), ShapeError);
    EXPECT_EQ(context().stats(), before);
    return;
  }
  check_output(test, run(test, views, context()));
  if (test.value("native_gemm_expected", 1) == 0) {
    EXPECT_EQ(context().stats(), before);
  }
}

TEST_P(ExactCases, HaveTheirExactAnswers) {
  check_file(std::string(TANDEM_TEST_DATA) + "/exact_cases.json");
}

TEST_P(ExactCases, OfTheSharedDirectoryHaveTheirExactAnswers) {
  TANDEM_NEED_SHARED("cases/exact_cases.json");
  for (const auto& path : shared_files("cases", "exact_cases", ".json")) {
    check_file(path);
  }
}

TANDEM_ON_EVERY_DEVICE(ExactCases);

}  // namespace
}  // namespace tandem::test
