// Tensors: construction, values, printing, and the errors' own texts.
#include <gtest/gtest.h>
#include <tandem/execution/functions.h>
#include <tandem/tensor/error.h>
#include <tandem/tensor/tensor.h>
#include <tandem/tensor/view.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem {
namespace {

using test::same_bits;
using test::thrown_by;

template <class Printed>
std::string printed(const Printed& value) {
  std::ostringstream stream;
  stream << value;
  return stream.str();
}

Tensor counting(const Shape& shape) {
  std::vector<double> values(element_count(shape, "test"));
  std::iota(values.begin(), values.end(), 0.0);
  return Tensor(shape, values);
}

TEST(Tensor, HoldsItsValuesRowMajor) {
  const Tensor tensor({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(tensor.rank(), 2u);
  EXPECT_EQ(tensor.size(), 6u);
  EXPECT_EQ(tensor.at({1, 0}), 4.0);
  EXPECT_EQ(tensor.values()[5], 6.0);
}

TEST(Tensor, OfRankZeroHasOneValue) {
  EXPECT_EQ(Tensor::scalar(3.5).item(), 3.5);
  EXPECT_EQ(Tensor({}, {2.0}).at({}), 2.0);
}

template <class Kind>
constexpr bool gives_values = requires(Kind tensor) {
  static_cast<Kind>(tensor).values();
};

TEST(Tensor, GivesNoSpanOfValuesThatGoWithATemporary) {
  EXPECT_TRUE(gives_values<Tensor&>);
  EXPECT_TRUE(gives_values<const Tensor&>);
  EXPECT_FALSE(gives_values<Tensor&&>);
  EXPECT_FALSE(gives_values<const Tensor&&>);
}

TEST(Tensor, GivesShapesAndStridesThatOutliveATemporary) {
  std::vector<std::size_t> extents;
  for (const std::size_t extent : Tensor::zeros({2, 3}).shape()) {
    extents.push_back(extent);
  }
  EXPECT_EQ(extents, (std::vector<std::size_t>{2, 3}));
  const Shape& shape = Tensor::zeros({4, 5}).view().shape();
  EXPECT_EQ(shape, (Shape{4, 5}));
  const Strides& strides = Tensor::zeros({4, 5}).view().strides();
  EXPECT_EQ(strides, (Strides{5, 1}));
}

TEST(Tensor, MayBeEmpty) {
  EXPECT_EQ(Tensor().shape(), Shape{0});
  const Tensor empty({3, 0, 2}, {});
  EXPECT_TRUE(empty.values().empty());
}

TEST(Tensor, FillsWithZerosOnesOrAnyValue) {
  EXPECT_TRUE(same_bits(Tensor::zeros({2}), {2}, {0.0, 0.0}));
  EXPECT_TRUE(same_bits(Tensor::ones({2}), {2}, {1.0, 1.0}));
  EXPECT_TRUE(same_bits(Tensor::full({1, 2}, -0.0), {1, 2}, {-0.0, -0.0}));
}

TEST(Tensor, RefusesAnotherCountOfValues) {
  EXPECT_EQ(thrown_by<ShapeError>([] {
              Tensor({2, 3}, {1.0});
            }),
            "tensor: value count differs from shape: shape [2, 3] has 6, given "
            "are 1");
}

TEST(Tensor, ChecksStrideThenCountThenLength) {
  const std::size_t big = std::size_t{1} << 32;
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              Tensor({0, big, big}, {1.0});
            }),
            "tensor: stride overflows: shape is [0, 4294967296, 4294967296]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              Tensor({big, big}, {1.0});
            }),
            "tensor: element count overflows: shape is [4294967296, "
            "4294967296]");
  EXPECT_EQ(thrown_by<ShapeError>([&] {
              Tensor::zeros({big, big});
            }),
            "tensor: element count overflows: shape is [4294967296, "
            "4294967296]");
}

TEST(Tensor, ThatMemoryCannotHoldIsAnError) {
  // How many bytes go with the values is the allocator's choice.
  const std::string message =
      thrown_by<Error>([] { Tensor::zeros({std::size_t{1} << 58}); });
  EXPECT_EQ(message.rfind("tensor: memory exhausted: 230584300921369", 0), 0u)
      << message;
}

TEST(Tensor, ItemNeedsExactlyOneValue) {
  EXPECT_EQ(Tensor({1, 1}, {4}).item(), 4.0);
  EXPECT_EQ(thrown_by<ShapeError>([] { Tensor::zeros({2}).item(); }),
            "item: needs exactly one value: shape is [2]");
}

TEST(Tensor, CopiesAndReshapesShareTheValues) {
  const Tensor tensor = counting({2, 3});
  const Tensor copy = tensor;
  EXPECT_EQ(copy.values().data(), tensor.values().data());
  const Tensor reshaped = tensor.reshape({3, 2});
  EXPECT_EQ(reshaped.values().data(), tensor.values().data());
  EXPECT_EQ(reshaped.at({2, 1}), 5.0);
  EXPECT_EQ(thrown_by<ShapeError>([&] { tensor.reshape({4}); }),
            "reshape: element counts differ: [2, 3] has 6, [4] has 4");
}

TEST(Tensor, IsKeptAliveByItsViews) {
  TensorView view = counting({4}).view().slice(0, 2, 4);
  EXPECT_TRUE(same_bits(view, {2}, {2, 3}));
}

TEST(Tensor, TakesPartInArithmeticWithTensorsAndNumbers) {
  const Tensor x({2}, {6, 8});
  EXPECT_TRUE(same_bits(x + x, {2}, {12, 16}));
  EXPECT_TRUE(same_bits(x - 1.0, {2}, {5, 7}));
  EXPECT_TRUE(same_bits(2.0 * x, {2}, {12, 16}));
  EXPECT_TRUE(same_bits(x / Tensor({2, 1}, {1, 2}), {2, 2}, {6, 8, 3, 4}));
  EXPECT_TRUE(same_bits(-x, {2}, {-6, -8}));
}

TEST(TensorPrinting, NestsBracketsWithRowsBelowEachOther) {
  EXPECT_EQ(printed(Tensor::scalar(0.5)), "0.5");
  EXPECT_EQ(printed(counting({2, 3})), "[[0, 1, 2],\n [3, 4, 5]]");
  EXPECT_EQ(printed(counting({2, 1, 2})), "[[[0, 1]],\n [[2, 3]]]");
  EXPECT_EQ(printed(counting({2, 2}).view().transpose(0, 1)),
            "[[0, 2],\n [1, 3]]");
}

TEST(TensorPrinting, CutsLongAxesOfLargeTensorsAlone) {
  EXPECT_EQ(printed(counting({2000})), "[0, 1, 2, ..., 1997, 1998, 1999]");
  EXPECT_EQ(printed(counting({1000})).find("..."), std::string::npos);
  EXPECT_EQ(printed(counting({1001, 1})),
            "[[0],\n [1],\n [2],\n ...,\n [998],\n [999],\n [1000]]");
}

TEST(TensorPrinting, ShowsAnEmptyTensorAsEmptyBrackets) {
  EXPECT_EQ(printed(Tensor({0}, {})), "[]");
  EXPECT_EQ(printed(Tensor({std::size_t{1} << 40, 0}, {})), "[]");
}

TEST(TensorPrinting, NamesNonfiniteValuesWithoutASignOfNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(printed(Tensor(
                {4}, {nan, std::copysign(nan, -1.0), infinity, -infinity})),
            "[nan, nan, inf, -inf]");
}

TEST(NonfiniteError, SaysWhatWhereAndWhich) {
  const NonfiniteError error("exp", 3, 1.0 / 3.0);
  EXPECT_STREQ(error.what(),
               "exp: result is not finite: element 3 is 0.33333333333333331");
  EXPECT_EQ(error.operation(), "exp");
  EXPECT_EQ(error.index(), 3u);
  EXPECT_EQ(error.value(), 1.0 / 3.0);
  EXPECT_STREQ(NonfiniteError("nll", 0, -std::nan(""), "logit").what(),
               "nll: logit is not finite: element 0 is nan");
}

TEST(ExecutionError, CarriesStageCodeAndName) {
  const ExecutionError error(ExecutionStage::gemm, "text", 7, "STATUS_SEVEN");
  EXPECT_STREQ(error.what(), "text");
  EXPECT_EQ(error.stage(), ExecutionStage::gemm);
  EXPECT_EQ(error.code(), 7);
  EXPECT_EQ(error.code_name(), "STATUS_SEVEN");
}

TEST(ExecutionError, StagesAreSpelledAsTheyAreWritten) {
  const std::pair<ExecutionStage, const char*> names[] = {
      {ExecutionStage::feature, "feature"},
      {ExecutionStage::precision, "precision"},
      {ExecutionStage::library, "library"},
      {ExecutionStage::driver, "driver"},
      {ExecutionStage::device, "device"},
      {ExecutionStage::handle, "handle"},
      {ExecutionStage::allocate, "allocate"},
      {ExecutionStage::copy, "copy"},
      {ExecutionStage::gemm, "gemm"},
      {ExecutionStage::synchronize, "synchronize"}};
  for (const auto& [stage, name] : names) EXPECT_STREQ(to_string(stage), name);
}

}  // namespace
}  // namespace tandem
