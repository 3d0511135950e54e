// The report of devices, as a document and as a table.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "cli/command_line.h"
#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

using nlohmann::json;
using testing_support::TemporaryFolder;

// What the command writes to a terminal.
// What a terminal would show; nothing where this machine has none to give.
std::string on_terminal(const std::vector<std::string>& arguments) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) {
    return "";
  }
  ProcessOptions options;
  options.stdout_to = ::ptsname(terminal);
  // Held open, so that what was written stays readable at the end.
  const int held = ::open(options.stdout_to.c_str(), O_RDWR | O_NOCTTY);
  std::string text;
  std::thread reader([&] {
    char block[4096];
    while (true) {
      const auto count = ::read(terminal, block, sizeof block);
      if (count <= 0) return;
      text.append(block, static_cast<std::size_t>(count));
    }
  });
  tandem_command(arguments, options);
  ::close(held);
  reader.join();
  ::close(terminal);
  return text;
}

bool has_terminals() {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

TEST(Devices, AlwaysListsTheCpu) {
  const auto result = tandem_command({"devices"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const json document = document_of(result);
  EXPECT_EQ(document.at("schema"), "tandem.devices/1");
  EXPECT_GT(document.at("cpu").at("threads"), 0);
  EXPECT_TRUE(document.at("cuda").at("usable").is_boolean());
}

TEST(Devices, SaysWhatIsMissingAndWhatToDo) {
  const TemporaryFolder empty;
  const json cuda = document_of(tandem_command({"devices", "--cuda-library-dir",
                                                empty.path().string()}))
                        .at("cuda");
  EXPECT_EQ(cuda.at("usable"), false);
  ASSERT_FALSE(cuda.at("problems").empty());
  for (const json& problem : cuda.at("problems")) {
    EXPECT_NE(problem.at("message"), "");
    EXPECT_NE(problem.at("advice"), "");
  }
}

TEST(Devices, TellsTheSameProblemAsTheDemoDoes) {
  const TemporaryFolder empty;
  const std::string folder = empty.path().string();
  const json cuda =
      document_of(tandem_command({"devices", "--cuda-library-dir", folder}))
          .at("cuda");
  const auto demo = tandem_command(
      {"demo", "--device", "cuda", "--cuda-library-dir", folder});
  EXPECT_EQ(
      demo.err,
      "tandem: " + cuda.at("problems").at(0).at("message").get<std::string>() +
          "\n");
}

TEST(Devices, PrintsATableOnATerminal) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string table = on_terminal({"devices"});
  EXPECT_NE(table.find("DEVICE"), std::string::npos) << table;
  EXPECT_NE(table.find("cpu "), std::string::npos) << table;
  EXPECT_EQ(table.find("schema"), std::string::npos) << table;
  EXPECT_EQ(table.find('\x1b'), std::string::npos) << table;
}

TEST(Devices, PrintsTheDocumentOnATerminalIfAsked) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_NE(on_terminal({"devices", "--json"}).find("tandem.devices/1"),
            std::string::npos);
}

#ifdef FAKE_CUDA_ROOT

const std::string fakes = std::string(FAKE_CUDA_ROOT) + "/13";

TEST(Devices, LooksNowhereButInTheFoldersThatWereNamed) {
  const TemporaryFolder empty;
  const std::string folder = empty.path().string();
  const json cuda =
      document_of(tandem_command({"devices", "--cuda-library-dir", folder}))
          .at("cuda");
  EXPECT_EQ(cuda.at("directories"), json({folder}));
}

TEST(Devices, SurvivesAPathThatIsNotText) {
  const auto result =
      tandem_command({"devices", "--cuda-library-dir", "/no\xff/where"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(document_of(result).at("cuda").at("directories").at(0),
            "/no\xEF\xBF\xBD/where");
}

TEST(Devices, ListsEachDeviceWithItsMemory) {
  const json cuda =
      document_of(tandem_command({"devices", "--cuda-library-dir", fakes}))
          .at("cuda");
  EXPECT_EQ(cuda.at("usable"), true);
  EXPECT_EQ(cuda.at("problems"), json::array());
  EXPECT_EQ(cuda.at("math"), "native F64");
  ASSERT_EQ(cuda.at("devices").size(), 2U);
  EXPECT_EQ(cuda.at("devices").at(1).at("ordinal"), 1);
  EXPECT_EQ(cuda.at("devices").at(1).at("memory_bytes"), 1 << 30);
}

TEST(Devices, ListsTheLibrariesThatWereTaken) {
  const json cuda =
      document_of(tandem_command({"devices", "--cuda-library-dir", fakes}))
          .at("cuda");
  std::vector<std::string> names;
  for (const json& library : cuda.at("libraries")) {
    names.push_back(library.at("name"));
    EXPECT_EQ(library.at("file").get<std::string>().rfind(fakes, 0), 0U);
    EXPECT_NE(library.at("version"), "");
  }
  EXPECT_EQ(names, (std::vector<std::string>{"libcuda", "libcudart",
                                             "libcublasLt", "libcublas"}));
  EXPECT_FALSE(cuda.at("search").empty());
}

TEST(Devices, SaysThatEmulationIsHeldOff) {
  ProcessOptions options;
  options.environment = {{"CUBLAS_EMULATE_DOUBLE_PRECISION", "1"}};
  const json cuda =
      document_of(
          tandem_command({"devices", "--cuda-library-dir", fakes}, options))
          .at("cuda");
  EXPECT_EQ(cuda.at("emulation_requested"), true);
  EXPECT_EQ(cuda.at("math"), "native F64");
}

TEST(Devices, PutsDevicesAndLibrariesIntoTheTable) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string table =
      on_terminal({"devices", "--cuda-library-dir", fakes});
  EXPECT_NE(table.find("cuda:1"), std::string::npos) << table;
  EXPECT_NE(table.find("1.0 GiB"), std::string::npos) << table;
  EXPECT_NE(table.find("libcublasLt"), std::string::npos) << table;
  EXPECT_EQ(table.find("cannot be used"), std::string::npos) << table;
}

#endif

}  // namespace
}  // namespace tandem::test
