// Options that make no sense, and what is said about them.
#include <gtest/gtest.h>
#include <tandem/version.h>

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace tandem::test {
namespace {

using Arguments = std::vector<std::string>;

std::string join(const Arguments& arguments) {
  std::string text;
  for (const auto& argument : arguments) text += " " + argument;
  return text;
}

TEST(Usage, IsToldWhereNoCommandIsGiven) {
  const auto result = tandem_command({});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(result.out.empty());
  EXPECT_NE(result.err.find("subcommand is required"), std::string::npos);
}

TEST(Usage, IsPrintedAtEachLevel) {
  for (const Arguments& arguments : {Arguments{"--help"},
                                     {"demo", "--help"},
                                     {"compare", "--help"},
                                     {"devices", "--help"}}) {
    const auto result = tandem_command(arguments);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("Usage"), std::string::npos);
    EXPECT_NE(result.out.find(arguments.size() == 1 ? "demo" : "--output"),
              std::string::npos);
  }
}

TEST(Usage, PrintsTheVersion) {
  const auto result = tandem_command({"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, std::string("tandem ") + version() + "\n");
}

TEST(Usage, RefusesWhatCannotBeParsed) {
  for (const Arguments& arguments : {
           Arguments{"dance"},
           {"demo", "--dance"},
           {"demo", "extra"},
           {"demo", "--device", "gpu"},
           {"demo", "--device", "cuda", "--ordinal", "-1"},
           {"demo", "--device", "cuda", "--ordinal", "first"},
           {"demo", "--device", "cuda", "--ordinal", "99999999999999999999"},
           {"demo", "--output"},
           {"demo", "--output", "a", "--output", "b"},
           {"demo", "--seed", "1"},
           {"compare", "--seed", "-1"},
           {"compare", "--width", "4.5"},
           {"compare", "--width", ""},
           {"compare", "--absolute-tolerance", "-1"},
           {"compare", "--absolute-tolerance", "nan"},
           {"compare", "--relative-tolerance", "inf"},
           {"compare", "--relative-tolerance", "1e-10x"},
           {"compare", "--relative-tolerance", "1e400"},
           {"compare", "--relative-tolerance", "0,5"},
       }) {
    const auto result = tandem_command(arguments);
    EXPECT_EQ(result.code, 2) << join(arguments);
    EXPECT_TRUE(result.out.empty()) << join(arguments);
    EXPECT_NE(result.err, "") << join(arguments);
  }
}

struct Refused {
  Arguments arguments;
  std::string message;
};

TEST(Usage, SaysWhichOptionHasNoEffect) {
  for (const auto& [arguments, message] : std::vector<Refused>{
           {{"demo", "--ordinal", "0"},
            "--ordinal: has no effect without --device cuda"},
           {{"demo", "--cuda-library-dir", "/x"},
            "--cuda-library-dir: has no effect without --device cuda"},
           {{"compare", "--ordinal", "1", "--device", "cpu"},
            "--ordinal: has no effect without --device cuda"},
           {{"compare", "--check-operations"},
            "--check-operations: has no effect without --device cuda"}}) {
    const auto result = tandem_command(arguments);
    EXPECT_EQ(result.code, 2) << join(arguments);
    EXPECT_TRUE(result.out.empty()) << join(arguments);
    EXPECT_EQ(result.err, "tandem: " + message + "\n");
  }
}

TEST(Usage, SaysWhichModelMakesNoSense) {
  for (const Arguments& arguments : {
           Arguments{"compare", "--vocabulary", "0"},
           {"compare", "--width", "0"},
           {"compare", "--width", "6", "--heads", "4"},
           {"compare", "--width", "6", "--heads", "2"},
           {"compare", "--heads", "3", "--width", "12", "--key-value-heads",
            "2"},
           {"compare", "--feed-forward-width", "0"},
           {"compare", "--capacity", "0"},
           {"compare", "--capacity", "2"},
           {"compare", "--batch", "0"},
           {"compare", "--tokens", "0"},
           {"compare", "--width", "9223372036854775808"},
       }) {
    const auto result = tandem_command(arguments);
    EXPECT_EQ(result.code, 2) << join(arguments) << result.err;
    EXPECT_TRUE(result.out.empty()) << join(arguments);
    EXPECT_EQ(result.err.rfind("tandem: ", 0), 0U) << join(arguments);
  }
}

TEST(Usage, SaysThatThereAreMoreTokensThanPositions) {
  const auto result =
      tandem_command({"compare", "--tokens", "9", "--capacity", "8"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "tandem: decoder: more tokens than positions: 9 tokens, capacity "
            "is 8\n");
}

TEST(Usage, MoreMemoryThanThereIsIsNoFailedComparison) {
  const auto result = tandem_command({"compare", "--width", "1000000000000"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("memory exhausted"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace tandem::test
