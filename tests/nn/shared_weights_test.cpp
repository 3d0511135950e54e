// Files that other tools wrote: every one opens, and every value is sound.
#include <gtest/gtest.h>
#include <tandem/nn/safetensors.h>

#include <cmath>

#include "support/shared_directory.h"

namespace tandem {
namespace {

// Opens each file below the folder; the number of files.
std::size_t read_all(const std::string& folder) {
  std::size_t files = 0;
  for (const auto& path : test::shared_files_below(folder, ".safetensors")) {
    const Safetensors file = Safetensors::open(path);
    EXPECT_FALSE(file.names().empty()) << path;
    for (const std::string& name : file.names()) {
      if (file.type(name) == ElementType::i64) {
        EXPECT_FALSE(file.integers(name).empty()) << path << name;
      } else {
        const Tensor tensor = file.tensor(name);
        for (const double value : tensor.values()) {
          EXPECT_TRUE(std::isfinite(value)) << path << name;
        }
      }
    }
    ++files;
  }
  return files;
}

TEST(SharedWeights, ReadEveryGoldenFile) {
  TANDEM_NEED_SHARED("golden");
  EXPECT_GT(read_all("golden"), 0u);
}

TEST(SharedWeights, ReadEveryModel) {
  TANDEM_NEED_SHARED("models");
  EXPECT_GT(read_all("models"), 0u);
}

}  // namespace
}  // namespace tandem
