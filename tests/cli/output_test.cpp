// Where the document goes, and what happens where it cannot go there.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "cli/command_line.h"
#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

using testing_support::content_of;
using testing_support::TemporaryFolder;
namespace fs = std::filesystem;

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Output, IsTheSameInAFileAndLeavesStdoutEmpty) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "demo.json";
  const auto result = tandem_command({"demo", "--output", file.string()});
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(result.out.empty());
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(content_of(file) == tandem_command({"demo"}).out);
}

TEST(Output, ReplacesAFileWholeAndLeavesNothingBesideIt) {
  const TemporaryFolder folder;
  const fs::path file = folder.put("demo.json", std::string(1 << 20, 'x'));
  EXPECT_EQ(tandem_command({"demo", "--output", file.string()}).code, 0);
  EXPECT_EQ(content_of(file).back(), '\n');
  EXPECT_EQ(content_of(file).find('x', 100000), std::string::npos);
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(Output, IsWrittenByEveryCommandThatHasADocument) {
  const TemporaryFolder folder;
  for (const char* command : {"demo", "compare", "devices"}) {
    const fs::path file = folder.path() / command;
    const auto result = tandem_command({command, "--output", file.string()});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(result.out.empty());
    EXPECT_EQ(nlohmann::json::parse(content_of(file)).at("schema"),
              "tandem." + std::string(command) + "/1");
  }
}

TEST(Output, SaysWhichFolderIsMissing) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "none" / "demo.json").string();
  const auto result = tandem_command({"demo", "--output", file});
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(result.out.empty());
  EXPECT_EQ(result.err,
            "tandem: write file: cannot create a file: No such file or "
            "directory, in " +
                file + "\n");
  EXPECT_EQ(entries_in(folder.path()), 0U);
}

TEST(Output, SaysThatAFolderIsNotWritable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string file = (folder.path() / "demo.json").string();
  const auto result = tandem_command({"demo", "--output", file});
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(result.out.empty());
  EXPECT_EQ(result.err,
            "tandem: write file: cannot create a file: Permission denied, in " +
                file + "\n");
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(Output, RefusesAFolderAndLeavesNothingInIt) {
  const TemporaryFolder folder;
  const fs::path inner = folder.path() / "inner";
  fs::create_directory(inner);
  const auto result = tandem_command({"demo", "--output", inner.string()});
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(result.out.empty());
  EXPECT_EQ(result.err,
            "tandem: write file: cannot name the file: Is a "
            "directory, in " +
                inner.string() + "\n");
  EXPECT_EQ(entries_in(folder.path()), 1U);
  EXPECT_EQ(entries_in(inner), 0U);
}

TEST(Output, RefusesAnEmptyName) {
  const auto result = tandem_command({"demo", "--output", ""});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(result.out.empty());
  EXPECT_EQ(result.err.rfind("--output: names no file\n", 0), 0U) << result.err;
}

TEST(Output, GoesThroughAPipeThatStaysAPipe) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content_of(pipe); });
  const auto result = tandem_command({"demo", "--output", pipe.string()});
  reader.join();
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(read == tandem_command({"demo"}).out);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(Output, SaysThatADeviceIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "absent: /dev/full";
  const auto result = tandem_command({"demo", "--output", "/dev/full"});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err, "tandem: write file: cannot be written: /dev/full\n");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(Output, SaysThatStdoutIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "absent: /dev/full";
  ProcessOptions options;
  options.stdout_to = "/dev/full";
  for (const char* command : {"demo", "compare", "devices"}) {
    const auto result = tandem_command({command}, options);
    EXPECT_EQ(result.code, 4);
    EXPECT_EQ(result.err, "tandem: output: cannot be written: stdout\n");
  }
}

TEST(Output, EndsWith130OnAnInterruptAndWritesNothing) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  ProcessOptions options;
  options.signal = SIGINT;
  // Nobody reads the pipe, so the command cannot end by itself.
  const auto result =
      tandem_command({"demo", "--output", pipe.string()}, options);
  EXPECT_EQ(result.code, 130);
  EXPECT_TRUE(result.out.empty());
}

}  // namespace
}  // namespace tandem::test
