// save_model, killed before and after each of its calls to the system: every
// file is then the old one or the new one.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <tandem/nn/model_directory.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "support/temporary_folder.h"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;
using testing_support::content_of;
using testing_support::TemporaryFolder;
using Files = std::map<std::string, std::string>;  // by name

enum class End { untraced, killed, finished, failed };

// Runs `action` in a child that stops at each entry into the system and each
// return, and is killed at the one of that number.
End run_until_stop(int number, const std::function<void()>& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::raise(SIGSTOP);
    try {
      action();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  for (int stop = 0; stop < number && WIFSTOPPED(status); ++stop) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return End::untraced;
  if (!WIFSTOPPED(status)) return status == 0 ? End::finished : End::failed;
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return End::killed;
}

nn::Decoder decoder_of(std::size_t width) {
  nn::DecoderConfig config;
  config.vocabulary = 7;
  config.width = width;
  config.feed_forward_width = 5;
  config.position_capacity = 4;
  nn::SplitMix64 generator(width);
  return nn::Decoder(config, generator);
}

// Files whose names end in .tmp are what a killed save may leave.
Files files_in(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".tmp") continue;
    files[path.filename().string()] = content_of(path);
  }
  return files;
}

class KilledSave : public testing::Test {
 protected:
  KilledSave()
      : old_(files_of(old_decoder_, old_tokenizer_)),
        new_(files_of(new_decoder_, new_tokenizer_)) {}

  // What a save into an empty directory puts there.
  static Files files_of(const nn::Decoder& decoder, const fs::path& tokenizer) {
    const TemporaryFolder folder;
    save(folder.path(), decoder, tokenizer);
    return files_in(folder.path());
  }

  static void save(const fs::path& folder, const nn::Decoder& decoder,
                   const fs::path& tokenizer) {
    nn::SaveOptions options;
    options.tokenizer = tokenizer;
    options.end_tokens = {decoder.config().width};  // something that differs
    nn::save_model(folder, decoder, options);
  }

  // Each file is one of the two, and config.json is not before the others.
  void expect_old_or_new(const Files& found) {
    ASSERT_EQ(found.size(), 4u);
    int renewed = 0;
    for (const auto& [name, content] : found) {
      ASSERT_TRUE(content == old_.at(name) || content == new_.at(name)) << name;
      renewed += content == new_.at(name) ? 1 : 0;
    }
    if (found.at("config.json") == new_.at("config.json")) {
      EXPECT_EQ(renewed, 4);
    }
    ++kills_by_renewed_[renewed];
  }

  const TemporaryFolder source_;
  const fs::path old_tokenizer_ = source_.put("old", "old");
  const fs::path new_tokenizer_ = source_.put("new", "new");
  const nn::Decoder old_decoder_ = decoder_of(4);
  const nn::Decoder new_decoder_ = decoder_of(8);
  const Files old_;
  const Files new_;
  std::map<int, int> kills_by_renewed_;
};

TEST_F(KilledSave, LeavesEveryFileOldOrNew) {
  for (int stop = 1;; ++stop) {
    SCOPED_TRACE("stop " + std::to_string(stop));
    const TemporaryFolder folder;
    for (const auto& [name, content] : old_) folder.put(name, content);
    const End end = run_until_stop(
        stop, [&] { save(folder.path(), new_decoder_, new_tokenizer_); });
    if (end == End::untraced) GTEST_SKIP() << "no process may be traced here";
    ASSERT_NE(end, End::failed);
    if (end == End::finished) {
      EXPECT_EQ(files_in(folder.path()), new_);
      break;
    }
    expect_old_or_new(files_in(folder.path()));
    if (HasFatalFailure()) return;
  }
  // It was killed before, between and after the four.
  for (const int renewed : {0, 1, 2, 3, 4}) {
    EXPECT_GT(kills_by_renewed_[renewed], 0) << renewed;
  }
}

}  // namespace
}  // namespace tandem::test
