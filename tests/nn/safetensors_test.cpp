// Safetensors, there and back: bits, rounding, order, metadata, shards.
#include <gtest/gtest.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>
#include <tandem/tensor/float16.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "support/temporary_folder.h"

namespace tandem {
namespace {

using Bits = std::vector<std::uint64_t>;

Bits bits_of(const Tensor& tensor) {
  Bits bits;
  for (const double value : tensor.values()) {
    bits.push_back(std::bit_cast<std::uint64_t>(value));
  }
  return bits;
}

Tensor vector_of(const std::vector<double>& values) {
  return Tensor({values.size()}, values);
}

std::string length_prefix(std::uint64_t length) {
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes;
}

std::string file_of(const std::string& header, const std::string& data) {
  return length_prefix(header.size()) + header + data;
}

class SafetensorsFile : public testing::Test {
 protected:
  Safetensors written(const std::vector<StoredTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {}) {
    write_safetensors(path_, tensors, metadata);
    return Safetensors::open(path_);
  }

  Tensor through(ElementType type, const std::vector<double>& values) {
    return written({{"x", vector_of(values), type}}).tensor("x");
  }

  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const FileError& error) {
      return error.what();
    }
    return "no FileError";
  }

  const testing_support::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "model.safetensors";
};

TEST_F(SafetensorsFile, KeepsEveryBitOfF64) {
  std::vector<double> values{-0.0, 5e-324, 0.1, 5.668398842431571, 1e308};
  for (const std::uint64_t nan :
       {0x7ff8000000000000u, 0x7ff0000000000001u, 0xfff800000000beefu}) {
    values.push_back(std::bit_cast<double>(nan));
  }
  values.push_back(std::numeric_limits<double>::infinity());
  values.push_back(-std::numeric_limits<double>::infinity());
  const Bits bits = bits_of(through(ElementType::f64, values));
  EXPECT_EQ(bits, bits_of(vector_of(values)));
  EXPECT_EQ(bits[3], 0x4016ac70bf03b620u);
}

TEST_F(SafetensorsFile, RoundsToF32OnceToNearestEven) {
  const double unit = std::ldexp(1, -23);
  const Tensor read = through(
      ElementType::f32, {1 + unit / 2, 1 + 1.5 * unit, 1 + 0.501 * unit, 0.1,
                         1e300, std::ldexp(1.5, -149), std::ldexp(1, -150)});
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(bits_of(read),
            bits_of(vector_of({1, 1 + 2 * unit, 1 + unit,
                               0.100000001490116119384765625, infinity,
                               std::ldexp(2, -149), 0})));
}

TEST_F(SafetensorsFile, RoundsToF16OnceToNearestEven) {
  const double tie = 1 + std::ldexp(1, -11);
  const Tensor read = through(ElementType::f16, {tie, tie + std::ldexp(1, -40),
                                                 std::ldexp(1.5, -24), 65520});
  EXPECT_EQ(bits_of(read),
            bits_of(vector_of({1, 1 + std::ldexp(1, -10), std::ldexp(2, -24),
                               std::numeric_limits<double>::infinity()})));
}

TEST_F(SafetensorsFile, RoundsToBf16OnceToNearestEven) {
  const double tie = 1 + std::ldexp(1, -8);
  const Tensor read = through(
      ElementType::bf16, {tie, tie + std::ldexp(1, -40), 0.2691408770292272});
  EXPECT_EQ(bits_of(read),
            bits_of(vector_of({1, 1 + std::ldexp(1, -7), 0.26953125})));
}

TEST_F(SafetensorsFile, ReadsEvery16BitCodeAsItsFormatDoes) {
  std::string data;
  for (int code = 0; code < 0x10000; ++code) {
    data.push_back(static_cast<char>(code & 0xff));
    data.push_back(static_cast<char>(code >> 8));
  }
  const auto header = [](const std::string& type) {
    return R"({"x":{"dtype":")" + type +
           R"(","shape":[65536],"data_offsets":[0,131072]}})";
  };
  const auto half =
      folder_.put("half.safetensors", file_of(header("F16"), data));
  const auto brain =
      folder_.put("brain.safetensors", file_of(header("BF16"), data));
  const Bits halves = bits_of(Safetensors::open(half).tensor("x"));
  const Bits brains = bits_of(Safetensors::open(brain).tensor("x"));
  for (std::size_t code = 0; code < 0x10000; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    ASSERT_EQ(halves[code], bits_of(vector_of({Float16{bits}.to_double()}))[0]);
    ASSERT_EQ(brains[code],
              bits_of(vector_of({Bfloat16{bits}.to_double()}))[0]);
  }
}

TEST_F(SafetensorsFile, KeepsShapesNamesAndMetadata) {
  const Tensor matrix({2, 3}, {1, 2, 3, 4, 5, 6});
  const Safetensors file =
      written({{"matrix", matrix},
               {"scalar", Tensor::scalar(7)},
               {"empty", Tensor::zeros({3, 0, 2})},
               {"na\"m\\e \xc3\xa9\n", matrix}},
              {{"format", "pt"}, {"quote", "\"\xe2\x82\xac\""}});
  EXPECT_EQ(file.names(), (std::vector<std::string>{"matrix", "scalar", "empty",
                                                    "na\"m\\e \xc3\xa9\n"}));
  EXPECT_EQ(file.shape("matrix"), (Shape{2, 3}));
  EXPECT_EQ(file.shape("scalar"), Shape{});
  EXPECT_EQ(file.shape("empty"), (Shape{3, 0, 2}));
  EXPECT_EQ(file.tensor("scalar").item(), 7);
  EXPECT_EQ(file.tensor("empty").size(), 0u);
  EXPECT_EQ(bits_of(file.tensor("na\"m\\e \xc3\xa9\n")), bits_of(matrix));
  EXPECT_EQ(file.metadata(),
            (std::map<std::string, std::string>{
                {"format", "pt"}, {"quote", "\"\xe2\x82\xac\""}}));
  EXPECT_TRUE(file.contains("matrix"));
  EXPECT_FALSE(file.contains("matri"));
}

TEST_F(SafetensorsFile, WritesWhatTheFormatSays) {
  written({{"b", vector_of({1}), ElementType::bf16},
           {"a", vector_of({2}), ElementType::f64}},
          {{"k", "v"}});
  std::string header =
      R"({"__metadata__":{"k":"v"},)"
      R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::string data("\0\0\0\0\0\0\0\x40\x80\x3f", 10);
  EXPECT_EQ(testing_support::content_of(path_), file_of(header, data));
}

TEST_F(SafetensorsFile, WritesNoTensorsAtAll) {
  EXPECT_TRUE(written({}).names().empty());
}

TEST_F(SafetensorsFile, WritesTensorsLongerThanItsBuffer) {
  std::vector<double> values(200'001);
  std::iota(values.begin(), values.end(), 0.5);
  EXPECT_EQ(bits_of(through(ElementType::f64, values)),
            bits_of(vector_of(values)));
}

TEST_F(SafetensorsFile, ReadsIntegersAsIntegers) {
  const std::string header =
      R"({"i":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},)"
      R"("j":{"dtype":"I32","shape":[],"data_offsets":[16,20]},)"
      R"("k":{"dtype":"U8","shape":[1],"data_offsets":[20,21]}})";
  const std::string data(
      "\xff\xff\xff\xff\xff\xff\xff\xff\x05\0\0\0\0\0\0\0"
      "\xfe\xff\xff\xff\xff",
      21);
  const Safetensors file =
      Safetensors::open(folder_.put("i.safetensors", file_of(header, data)));
  EXPECT_EQ(file.integers("i"), (std::vector<std::int64_t>{-1, 5}));
  EXPECT_EQ(file.integers("j"), (std::vector<std::int64_t>{-2}));
  EXPECT_EQ(file.integers("k"), (std::vector<std::int64_t>{255}));
}

TEST_F(SafetensorsFile, SaysWhichTypeItCannotRead) {
  const std::string header =
      R"({"b":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})";
  const auto path = folder_.put("b.safetensors", file_of(header, "\1"));
  const Safetensors file = Safetensors::open(path);
  EXPECT_EQ(message_of([&] { file.tensor("b"); }),
            "safetensors: dtype cannot be read as f64: BOOL of 'b', in " +
                path.string());
  EXPECT_EQ(message_of([&] { file.integers("b"); }),
            "safetensors: dtype cannot be read as integers: BOOL of 'b', in " +
                path.string());
}

TEST_F(SafetensorsFile, SaysWhichTensorIsMissing) {
  const Safetensors file = written({});
  EXPECT_EQ(message_of([&] { file.tensor("x"); }),
            "safetensors: no such tensor: 'x', in " + path_.string());
}

TEST_F(SafetensorsFile, SaysWhichTensorsAreStoredAlike) {
  const Tensor a({2}, {1, 2});
  write_safetensors(path_, {{"a", a},
                            {"same", a},
                            {"other", Tensor({2}, {1, 3})},
                            {"column", a.reshape({2, 1})},
                            {"narrow", a, ElementType::f32}});
  const auto file = Safetensors::open(path_);
  EXPECT_TRUE(file.stores_alike("a", "same"));
  for (const char* name : {"other", "column", "narrow"}) {
    EXPECT_FALSE(file.stores_alike("a", name)) << name;
  }
}

TEST_F(SafetensorsFile, NoticesThatItWasCutBeforeItIsRead) {
  write_safetensors(path_, {{"a", Tensor::zeros({10'000})}});
  const auto file = Safetensors::open(path_);
  std::filesystem::resize_file(path_, 1000);
  try {
    file.tensor("a");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(),
              "safetensors: file has become shorter, in " + path_.string());
  }
}

TEST_F(SafetensorsFile, OutlivesItsReplacement) {
  const Safetensors old = written({{"x", vector_of({1})}});
  const Safetensors fresh = written({{"x", vector_of({2})}});
  EXPECT_EQ(old.tensor("x").item(), 1);
  EXPECT_EQ(fresh.tensor("x").item(), 2);
}

// The data is a hole of a gigabyte: only the header has ever been written.
TEST_F(SafetensorsFile, OpensAGigabyteByItsHeader) {
  const std::string header = R"({"x":{"dtype":"F32","shape":[268435456],)"
                             R"("data_offsets":[0,1073741824]}})";
  const auto path = folder_.put("big.safetensors", file_of(header, ""));
  std::filesystem::resize_file(path, 8 + header.size() + 1073741824);
  EXPECT_EQ(Safetensors::open(path).shape("x"), Shape{268435456});
}

class ShardedCheckpoint : public SafetensorsFile {
 protected:
  ShardedCheckpoint() {
    write_safetensors(folder_.path() / "1.safetensors", {{"a", vector_of({1})}},
                      {{"format", "pt"}});
    write_safetensors(folder_.path() / "2.safetensors",
                      {{"b", vector_of({2})}, {"c", vector_of({3})}});
  }

  std::filesystem::path index(const std::string& weight_map) {
    return folder_.put(
        "model.safetensors.index.json",
        R"({"metadata":{"total_size":24},"weight_map":)" + weight_map + "}");
  }

  std::string fault(const std::string& weight_map) {
    const std::filesystem::path path = index(weight_map);
    return message_of([&] { Safetensors::open(path); });
  }

  const std::string in_index_ =
      ", in " + (folder_.path() / "model.safetensors.index.json").string();
};

TEST_F(ShardedCheckpoint, ReadsEachTensorFromItsShard) {
  const Safetensors file = Safetensors::open(index(
      R"({"a":"1.safetensors","b":"2.safetensors","c":"2.safetensors"})"));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(file.tensor("a").item(), 1);
  EXPECT_EQ(file.tensor("c").item(), 3);
  EXPECT_EQ(file.metadata().at("format"), "pt");
}

TEST_F(ShardedCheckpoint, RejectsATensorThatItsShardLacks) {
  EXPECT_EQ(fault(R"({"a":"1.safetensors","x":"1.safetensors"})"),
            "safetensors: shard lacks an indexed tensor: 'x' in 1.safetensors" +
                in_index_);
  EXPECT_EQ(fault(R"({"a":"1.safetensors","b":"1.safetensors",)"
                  R"("c":"2.safetensors"})"),
            "safetensors: shard lacks an indexed tensor: 'b' in 1.safetensors" +
                in_index_);
}

TEST_F(ShardedCheckpoint, RejectsATensorThatTheIndexLacks) {
  EXPECT_EQ(fault(R"({"a":"1.safetensors","b":"2.safetensors"})"),
            "safetensors: index lacks a shard's tensor: 'c'" + in_index_);
}

TEST_F(ShardedCheckpoint, RejectsATensorThatTwoShardsHold) {
  write_safetensors(folder_.path() / "3.safetensors", {{"a", vector_of({1})}});
  EXPECT_EQ(fault(R"({"a":"1.safetensors","b":"3.safetensors"})"),
            "safetensors: tensor in two shards: 'a', in " +
                (folder_.path() / "3.safetensors").string());
}

TEST_F(ShardedCheckpoint, RejectsAShardOutsideItsFolder) {
  EXPECT_EQ(
      fault(R"({"a":"../1.safetensors"})"),
      "safetensors: shard is not a file name: '../1.safetensors'" + in_index_);
  EXPECT_EQ(fault(R"({"a":1})"),
            "safetensors: shard is not a file name: 1" + in_index_);
}

TEST_F(ShardedCheckpoint, RejectsAShardThatIsAbsent) {
  EXPECT_EQ(fault(R"({"a":"4.safetensors"})"),
            "safetensors: cannot read: No such file or directory, in " +
                (folder_.path() / "4.safetensors").string());
}

TEST_F(ShardedCheckpoint, RejectsAnIndexWithoutAMap) {
  EXPECT_EQ(fault("[]"), "safetensors: index has no weight_map" + in_index_);
  EXPECT_EQ(fault("{"), "safetensors: not JSON: fault at byte 46" + in_index_);
}

}  // namespace
}  // namespace tandem
