// Small trained-model directories for commands: random weights, a tokenizer of
// a few letters.
#pragma once

#include <filesystem>
#include <string>

#include "support/temporary_folder.h"

namespace tandem::test {

/// A model of 16 positions over the letters a to h, each of which is one token
/// (ids 0 to 7), with the end token `<end>` (id 8).
class SmallModel {
 public:
  SmallModel();

  std::string directory() const { return folder_.path().string(); }
  /// A file beside the model's own; its path.
  std::string put(const std::string& name, const std::string& content) const {
    return folder_.put(name, content).string();
  }

 private:
  testing_support::TemporaryFolder folder_;
};

}  // namespace tandem::test
