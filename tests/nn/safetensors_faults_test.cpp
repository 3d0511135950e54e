// Malformed files: each one is refused by a message that names the fault.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <cstring>
#include <string>

#include "support/temporary_folder.h"

namespace tandem {
namespace {

std::string opening_error(const std::filesystem::path& path) {
  try {
    Safetensors::open(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "no FileError";
}

struct Malformed {
  const char* label;
  std::string header;
  std::size_t data_bytes;
  std::string fault;
};

void PrintTo(const Malformed& malformed, std::ostream* stream) {
  *stream << malformed.label;
}

std::string length_prefix(std::uint64_t length) {
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes;
}

class MalformedSafetensors : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedSafetensors, IsRefusedByName) {
  const Malformed& malformed = GetParam();
  const testing_support::TemporaryFolder folder;
  const auto path =
      folder.put("bad.safetensors",
                 length_prefix(malformed.header.size()) + malformed.header +
                     std::string(malformed.data_bytes, '\0'));
  EXPECT_EQ(opening_error(path),
            "safetensors: " + malformed.fault + ", in " + path.string());
}

// One tensor t, of which `members` says everything.
std::string t(const std::string& members) {
  return R"({"t":{)" + members + "}}";
}

std::string entry(const std::string& name, int begin, int end) {
  return "\"" + name + R"(":{"dtype":"F32","shape":[)" +
         std::to_string((end - begin) / 4) + R"(],"data_offsets":[)" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return R"({"t":)" + std::string(count, '[') + std::string(count, ']') + "}";
}

const Malformed offsets[] = {
    {"FewerBytesThanTheShapeNeeds",
     t(R"("dtype":"F32","shape":[1000,1000],"data_offsets":[0,4])"), 4,
     "data_offsets do not fit the shape: [0,4] of 't', F32 [1000, 1000] has "
     "1000000 elements"},
    {"MoreBytesThanTheShapeNeeds",
     t(R"("dtype":"F32","shape":[],"data_offsets":[0,8])"), 8,
     "data_offsets do not fit the shape: [0,8] of 't', F32 [] has 1 elements"},
    {"OffsetsThatRunBackwards",
     t(R"("dtype":"F32","shape":[1],"data_offsets":[8,4])"), 8,
     "data_offsets run backwards: [8,4] of 't'"},
    {"OffsetsBeyondTheFile",
     t(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), 4,
     "data_offsets end beyond the file: [0,8] of 't', the data has 4 bytes"},
    {"HugeOffsets",
     t(R"("dtype":"U8","shape":[1],)"
       R"("data_offsets":[18446744073709551614,18446744073709551615])"),
     4,
     "data_offsets end beyond the file: "
     "[18446744073709551614,18446744073709551615] of 't', the data has 4 "
     "bytes"},
    {"ThreeOffsets", t(R"("dtype":"F32","shape":[1],"data_offsets":[0,4,8])"),
     8, "data_offsets are not two whole numbers: [0,4,8] of 't'"},
    {"ANegativeOffset", t(R"("dtype":"F32","shape":[1],"data_offsets":[-4,0])"),
     4, "data_offsets are not two whole numbers: [-4,0] of 't'"},
    {"AFractionalOffset",
     t(R"("dtype":"F32","shape":[1],"data_offsets":[0,4.0])"), 4,
     "data_offsets are not two whole numbers: [0,4.0] of 't'"},
    {"OffsetsThatAreNoList",
     t(R"("dtype":"F32","shape":[1],"data_offsets":{"0":4})"), 4,
     "data_offsets are not two whole numbers: {\"0\":4} of 't'"},
    {"TheSameBytesTwice",
     "{" + entry("a", 0, 16) + "," + entry("b", 0, 16) + "}", 16,
     "tensors overlap: 'b' begins at 0, 'a' ends at 16"},
    {"BytesThatOverlap",
     "{" + entry("a", 0, 16) + "," + entry("b", 8, 24) + "}", 24,
     "tensors overlap: 'b' begins at 8, 'a' ends at 16"},
    {"AHoleBetweenTensors",
     "{" + entry("a", 0, 16) + "," + entry("b", 24, 40) + "}", 40,
     "hole in the data: 'b' begins at 24, all before end at 16"},
    {"AHoleBeforeTheFirstTensor", "{" + entry("a", 4, 8) + "}", 8,
     "hole in the data: 'a' begins at 4, all before end at 0"},
    {"DataAfterTheLastTensor", "{" + entry("a", 0, 4) + "}", 5,
     "data after the last tensor: the tensors end at 4, the data has 5 bytes"},
    {"DataOfNoTensor", "{}", 1,
     "data after the last tensor: the tensors end at 0, the data has 1 bytes"},
    {"AnEmptyTensorInsideAnother",
     R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
     R"("e":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})",
     8, "tensors overlap: 'e' begins at 4, 'a' ends at 8"},
};

const Malformed shapes[] = {
    {"AnOverflowingShape",
     t(R"("dtype":"F32","shape":[4294967296,4294967296],)"
       R"("data_offsets":[0,0])"),
     0, "shape too large: [4294967296, 4294967296] of 't'"},
    {"AnOverflowHiddenByAZero",
     t(R"("dtype":"F32","shape":[0,4294967296,4294967296],)"
       R"("data_offsets":[0,0])"),
     0, "shape too large: [0, 4294967296, 4294967296] of 't'"},
    {"ANegativeExtent", t(R"("dtype":"F32","shape":[-1],"data_offsets":[0,4])"),
     4, "extent is not a whole number: -1 of 't'"},
    {"AFractionalExtent",
     t(R"("dtype":"F32","shape":[1.5],"data_offsets":[0,6])"), 6,
     "extent is not a whole number: 1.5 of 't'"},
    {"AnExtentBeyondSixtyFourBits",
     t(R"("dtype":"F32","shape":[18446744073709551617],"data_offsets":[0,4])"),
     4, "extent is not a whole number: 1.8446744073709552e+19 of 't'"},
    {"AShapeThatIsNoList", t(R"("dtype":"F32","shape":1,"data_offsets":[0,4])"),
     4, "shape is not a list: 't'"},
    {"AnUnknownDtype", t(R"("dtype":"F33","shape":[1],"data_offsets":[0,4])"),
     4, "unknown dtype: 'F33' of 't'"},
    {"ADtypeInLowerCase",
     t(R"("dtype":"f32","shape":[1],"data_offsets":[0,4])"), 4,
     "unknown dtype: 'f32' of 't'"},
    {"ADtypeThatIsNoString",
     t(R"("dtype":32,"shape":[1],"data_offsets":[0,4])"), 4,
     "dtype is not a string: 't'"},
};

const Malformed structure[] = {
    {"NoDtype", t(R"("shape":[1],"data_offsets":[0,4])"), 4,
     "tensor lacks dtype: 't'"},
    {"NoShape", t(R"("dtype":"F32","data_offsets":[0,4])"), 4,
     "tensor lacks shape: 't'"},
    {"NoOffsets", t(R"("dtype":"F32","shape":[1])"), 4,
     "tensor lacks data_offsets: 't'"},
    {"AnUnknownKey",
     t(R"("dtype":"F32","shape":[1],"data_offsets":[0,4],"stride":[1])"), 4,
     "unknown key: 'stride' of 't'"},
    {"ATensorThatIsNoObject", R"({"t":[1]})", 0,
     "tensor is not an object: 't'"},
    {"ATensorWithoutAName", "{" + entry("", 0, 4) + "}", 4,
     "tensor without a name"},
    {"ATensorTwice", "{" + entry("a", 0, 4) + "," + entry("a", 4, 8) + "}", 8,
     "duplicate key: 'a'"},
    {"AShapeTwice",
     t(R"("dtype":"F32","shape":[9],"shape":[1],"data_offsets":[0,4])"), 4,
     "duplicate key: 'shape'"},
    {"MetadataThatIsNoObject", R"({"__metadata__":"x"})", 0,
     "metadata is not an object"},
    {"AMetadataValueThatIsNoString", R"({"__metadata__":{"k":1}})", 0,
     "metadata value is not a string: 'k'"},
    {"MetadataTwice", R"({"__metadata__":{},"__metadata__":{}})", 0,
     "duplicate key: '__metadata__'"},
    {"AHeaderThatIsAList", "[]", 0,
     "header is not an object: it does not begin with '{'"},
    {"AnEmptyHeader", "", 0,
     "header is not an object: it does not begin with '{'"},
    {"WhiteSpaceBeforeTheHeader", " {}", 0,
     "header is not an object: it does not begin with '{'"},
    {"PaddingThatIsNotSpaces", "{}\n", 0,
     "header is not padded with spaces: its last byte is neither '}' nor a "
     "space"},
    {"AHeaderThatIsCutOff", R"({"t":{"dtype":"F32"})", 0,
     "not JSON: fault at byte 21"},
    {"TextAfterTheHeader", "{} {}", 0, "not JSON: fault at byte 4"},
    {"AHeaderThatIsNotUtf8", "{\"\xff\":{}}", 0, "not JSON: fault at byte 3"},
    {"ANumberOutOfRange", R"({"t":1e999})", 0,
     "not JSON: a number is out of range"},
    {"ADeepHeader", nested(100), 0, "nested too deeply: more than 64 levels"},
    {"ABottomlessHeader", nested(1'000'000), 0,
     "nested too deeply: more than 64 levels"},
};

const auto label = [](const testing::TestParamInfo<Malformed>& info) {
  return std::string(info.param.label);
};
INSTANTIATE_TEST_SUITE_P(Offsets, MalformedSafetensors,
                         testing::ValuesIn(offsets), label);
INSTANTIATE_TEST_SUITE_P(Shapes, MalformedSafetensors,
                         testing::ValuesIn(shapes), label);
INSTANTIATE_TEST_SUITE_P(Structure, MalformedSafetensors,
                         testing::ValuesIn(structure), label);

class BrokenFile : public testing::Test {
 protected:
  std::string fault(const std::string& content) {
    return opening_error(folder_.put("bad.safetensors", content));
  }
  const testing_support::TemporaryFolder folder_;
  const std::string in_ =
      ", in " + (folder_.path() / "bad.safetensors").string();
};

TEST_F(BrokenFile, IsRefusedWhenItIsTooShortForALength) {
  EXPECT_EQ(fault(""),
            "safetensors: file too short: 0 bytes, the header's length takes "
            "8" +
                in_);
  EXPECT_EQ(fault("1234567"),
            "safetensors: file too short: 7 bytes, the header's length takes "
            "8" +
                in_);
}

TEST_F(BrokenFile, IsRefusedWhenItsHeaderEndsBeyondIt) {
  EXPECT_EQ(fault(length_prefix(3) + "{}"),
            "safetensors: header ends beyond the file: 3 bytes, the file has 2 "
            "after the length" +
                in_);
}

TEST_F(BrokenFile, IsRefusedWhenItsHeaderIsTooLong) {
  EXPECT_EQ(fault(length_prefix(100'000'001) + "{}"),
            "safetensors: header too long: 100000001 bytes, at most "
            "100000000" +
                in_);
  EXPECT_EQ(fault(length_prefix(~std::uint64_t{0}) + "{}"),
            "safetensors: header too long: 18446744073709551615 bytes, at "
            "most 100000000" +
                in_);
}

TEST_F(BrokenFile, IsRefusedAtEveryLengthItCanBeCutTo) {
  const std::string header =
      R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("u":{"dtype":"F32","shape":[0],"data_offsets":[8,8]}})";
  const std::string file =
      length_prefix(header.size()) + header + std::string(8, '\0');
  ASSERT_EQ(fault(file), "no FileError");
  for (std::size_t length = 0; length < file.size(); ++length) {
    ASSERT_NE(fault(file.substr(0, length)), "no FileError") << length;
  }
}

TEST_F(BrokenFile, IsRefusedWhenItIsNoFile) {
  EXPECT_EQ(opening_error(folder_.path()),
            "safetensors: cannot read: not a regular file, in " +
                folder_.path().string());
  const auto pipe = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(
      opening_error(pipe),
      "safetensors: cannot read: not a regular file, in " + pipe.string());
}

TEST_F(BrokenFile, IsRefusedWhenItIsAbsent) {
  const auto path = folder_.path() / "absent";
  EXPECT_EQ(opening_error(path),
            "safetensors: cannot read: No such file or directory, in " +
                path.string());
}

}  // namespace
}  // namespace tandem
