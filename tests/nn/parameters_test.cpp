// Names of parameters, and where their first values come from.
#include <gtest/gtest.h>
#include <tandem/autograd/functions.h>
#include <tandem/nn/decoder.h>
#include <tandem/nn/parameters.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/bits.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

using autograd::Parameter;
using nn::NamedParameters;

TEST(NamedParameters, TakesSegmentsOfLowercaseDigitsAndUnderscores) {
  NamedParameters registry;
  for (const char* name : {"a", "0", "_", "a.b", "blocks.0.ffn_norm.gain"}) {
    EXPECT_NO_THROW(registry.add(name, Parameter(Tensor::zeros({1}))));
  }
}

TEST(NamedParameters, RejectsMalformedNames) {
  NamedParameters registry;
  for (const std::string name :
       {"", ".", "a.", ".a", "a..b", "A", "a-b", "a b", "a/b", "\xc3\xa9"}) {
    EXPECT_EQ(thrown_by<ModelError>(
                  [&] { registry.add(name, Parameter(Tensor::zeros({1}))); }),
              "parameter: name is malformed: \"" + name + "\"");
  }
  EXPECT_TRUE(registry.entries().empty());
}

TEST(NamedParameters, RejectsANameThatIsTaken) {
  NamedParameters registry;
  registry.add("a.b", Parameter(Tensor::zeros({1})));
  EXPECT_EQ(thrown_by<ModelError>(
                [&] { registry.add("a.b", Parameter(Tensor::zeros({1}))); }),
            "parameter: name is taken: \"a.b\"");
}

TEST(NamedParameters, RejectsASecondNameForOneParameter) {
  NamedParameters registry;
  const Parameter tied(Tensor::zeros({1}));
  registry.add("table", tied);
  EXPECT_EQ(thrown_by<ModelError>([&] { registry.add("head", tied); }),
            "parameter: has a name already: \"head\" is \"table\"");
}

TEST(NamedParameters, RejectsToLookUpWhatItDoesNotHold) {
  EXPECT_EQ(thrown_by<ModelError>([] { NamedParameters().at("a"); }),
            "parameter: there is none of this name: \"a\"");
}

TEST(NamedParameters, CountsScalars) {
  NamedParameters registry;
  EXPECT_EQ(registry.scalar_count(), 0u);
  registry.add("a", Parameter(Tensor::zeros({2, 3})));
  registry.add("b", Parameter(Tensor::scalar(1)));
  registry.add("c", Parameter(Tensor::zeros({0, 3})));
  EXPECT_EQ(registry.scalar_count(), 7u);
}

TEST(NamedParameters, ClearsEveryGradient) {
  NamedParameters registry;
  const Parameter a(Tensor::ones({2}));
  registry.add("a", a);
  autograd::sum(a).backward();
  EXPECT_TRUE(same_bits(a.gradient(), {2}, {1, 1}));
  registry.zero_grad();
  EXPECT_TRUE(same_bits(a.gradient(), {2}, {0, 0}));
}

TEST(ParameterSource, IsRejectedWhereItGivesAnotherShape) {
  const nn::ParameterSource source = [](const std::string&, const Shape&) {
    return Tensor::zeros({2, 3});
  };
  EXPECT_EQ(thrown_by<ModelError>([&] {
              nn::make_parameter(source, "gate.weight", {3, 2});
            }),
            "parameter: shape differs: \"gate.weight\" is [2, 3], needed is "
            "[3, 2]");
}

TEST(ParameterSource, MayPutOffReading) {
  int reads = 0;
  const nn::ParameterSource source = [&](const std::string&,
                                         const Shape& shape) {
    return [&reads, shape] {
      ++reads;
      return Tensor::ones(shape);
    };
  };
  NamedParameters registry;
  registry.add("a", nn::make_parameter(source, "a", {3, 2}));
  EXPECT_EQ(registry.scalar_count(), 6u);
  registry.zero_grad();
  EXPECT_EQ(reads, 0);
  EXPECT_TRUE(same_bits(registry.at("a").value(), Tensor::ones({3, 2})));
  EXPECT_EQ(reads, 1);
}

TEST(ParameterSource, IsAskedByFullNameInRegistryOrder) {
  std::vector<std::string> asked;
  nn::DecoderConfig config;
  config.vocabulary = 3;
  config.width = 2;
  config.feed_forward_width = 2;
  config.blocks = 2;
  config.position_capacity = 2;
  const nn::Decoder decoder(config,
                            [&](const std::string& name, const Shape& shape) {
                              asked.push_back(name);
                              return Tensor::ones(shape);
                            });
  std::vector<std::string> registered;
  for (const auto& entry : decoder.parameters().entries()) {
    registered.push_back(entry.name);
  }
  EXPECT_EQ(asked, registered);
}

TEST(SplitMix64, GivesTheKnownSequenceOfSeed0) {
  nn::SplitMix64 generator(0);
  for (const std::uint64_t draw : {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u,
                                   0x06c45d188009454fu, 0xf88bb8a8724c81ecu}) {
    EXPECT_EQ(generator.next(), draw);
  }
}

TEST(SplitMix64, MakesUnitValuesOfTheUpper53Bits) {
  nn::SplitMix64 draws(7);
  nn::SplitMix64 units(7);
  for (int i = 0; i < 1000; ++i) {
    const double unit = units.unit();
    EXPECT_EQ(unit, std::ldexp(static_cast<double>(draws.next() >> 11), -53));
    EXPECT_TRUE(unit >= 0.0 && unit < 1.0);
  }
}

TEST(InitialValues, DrawNothingForGains) {
  nn::SplitMix64 generator(5);
  const auto source = nn::initial_values(generator);
  EXPECT_TRUE(
      same_bits(std::get<Tensor>(source("gain", {4})), Tensor::ones({4})));
  EXPECT_EQ(generator.state(), 5u);
}

// In a range-for a reference into a temporary would be read after its end.
template <class Result>
constexpr bool is_a_value = !std::is_reference_v<Result>;

TEST(Temporaries, GiveValuesRatherThanReferences) {
  using std::declval;
  const std::string name = "weight";
  EXPECT_TRUE(is_a_value<decltype(declval<Shape>().extents())>);
  EXPECT_TRUE(is_a_value<decltype(declval<autograd::Variable>().shape())>);
  EXPECT_TRUE(is_a_value<decltype(declval<nn::NamedParameters>().entries())>);
  EXPECT_TRUE(is_a_value<decltype(declval<nn::Decoder>().parameters())>);
  EXPECT_TRUE(is_a_value<decltype(declval<Safetensors>().names())>);
  EXPECT_TRUE(is_a_value<decltype(declval<Safetensors>().metadata())>);
  EXPECT_TRUE(is_a_value<decltype(declval<Safetensors>().shape(name))>);
}

}  // namespace
}  // namespace tandem::test
