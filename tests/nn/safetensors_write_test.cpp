// Writing: what is refused, and that a write which fails or is killed leaves
// the old file.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <iterator>
#include <thread>

#include "support/temporary_folder.h"

namespace tandem {
namespace {

class SafetensorsWrite : public testing::Test {
 protected:
  void SetUp() override { write_safetensors(path_, old_); }

  std::string fault(const std::vector<StoredTensor>& tensors,
                    const std::map<std::string, std::string>& metadata = {}) {
    try {
      write_safetensors(path_, tensors, metadata);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no FileError";
  }

  bool is_old() const { return holds(1); }
  bool is_new() const { return holds(2); }

  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(folder_.path()),
                         {});
  }

  // How a child process ends that runs `action`.
  static int status_of_child(const std::function<void()>& action) {
    const pid_t child = ::fork();
    if (child == 0) {
      action();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  const testing_support::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "model.safetensors";
  const std::string in_ = ", in " + path_.string();
  const Tensor tensor_ = Tensor::full({3}, 1);
  const std::vector<StoredTensor> old_{{"x", Tensor::full({1000}, 1)}};
  const std::vector<StoredTensor> new_{{"x", Tensor::full({100'000}, 2)}};

 private:
  bool holds(double value) const {
    const Tensor read = Safetensors::open(path_).tensor("x");
    for (const double found : read.values()) {
      if (found != value) return false;
    }
    return read.size() > 0;
  }
};

TEST_F(SafetensorsWrite, RefusesNamesThatCannotBeRead) {
  EXPECT_EQ(fault({{"", tensor_}}),
            "write_safetensors: tensor without a name" + in_);
  EXPECT_EQ(fault({{"a\xff", tensor_}}),
            "write_safetensors: name is not UTF-8" + in_);
  EXPECT_EQ(fault({{"__metadata__", tensor_}}),
            "write_safetensors: name is reserved: '__metadata__'" + in_);
  EXPECT_EQ(fault({{"a", tensor_}, {"a", tensor_}}),
            "write_safetensors: name given twice: 'a'" + in_);
  EXPECT_TRUE(is_old());
}

TEST_F(SafetensorsWrite, RefusesTypesThatRoundToNothing) {
  EXPECT_EQ(fault({{"a", tensor_, ElementType::i64}}),
            "write_safetensors: dtype cannot be written: I64 of 'a'" + in_);
}

TEST_F(SafetensorsWrite, RefusesMetadataThatIsNotUtf8) {
  EXPECT_EQ(fault({}, {{"k", "\xff"}}),
            "write_safetensors: metadata is not UTF-8" + in_);
}

TEST_F(SafetensorsWrite, SaysThatThereIsNoSuchFolder) {
  const auto path = folder_.path() / "absent" / "x";
  try {
    write_safetensors(path, {});
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(),
              "write_safetensors: cannot create a file: No such file or "
              "directory, in " +
                  path.string());
  }
}

TEST_F(SafetensorsWrite, LeavesNothingWhereAFolderHasTheName) {
  const auto path = folder_.path() / "taken";
  std::filesystem::create_directory(path);
  EXPECT_THROW(write_safetensors(path, {}), FileError);
  EXPECT_EQ(files(), 2);
}

TEST_F(SafetensorsWrite, ReplacesTheFileAndLeavesNoOther) {
  write_safetensors(path_, new_);
  EXPECT_TRUE(is_new());
  EXPECT_EQ(files(), 1);
}

// The limit on file size stands for a full disk.
TEST_F(SafetensorsWrite, LeavesTheOldFileWhenTheSystemRefusesABlock) {
  const int status = status_of_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{5000, 5000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    if (fault(new_) !=
        "write_safetensors: cannot write: File too large" + in_) {
      ::_exit(1);
    }
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(is_old());
  EXPECT_EQ(files(), 1);
}

// The signal arrives at an exact byte, before it, inside the header, or among
// the values.
TEST_F(SafetensorsWrite, LeavesTheOldFileWhenItIsKilledAtAByte) {
  for (const rlim_t byte : {0u, 1u, 8u, 50u, 4096u, 500'000u, 800'000u}) {
    const int status = status_of_child([&] {
      const rlimit limit{byte, byte};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      write_safetensors(path_, new_);
    });
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ) << byte;
    ASSERT_TRUE(is_old()) << byte;
  }
}

TEST_F(SafetensorsWrite, LeavesTheOldOrTheNewFileWhenItIsKilledAtAnyTime) {
  for (int microseconds = 0; microseconds < 2000; microseconds += 50) {
    const pid_t child = ::fork();
    if (child == 0) {
      write_safetensors(path_, new_);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(is_old() || is_new()) << microseconds;
    write_safetensors(path_, old_);
  }
}

}  // namespace
}  // namespace tandem
