// Opening a model directory reads headers; weights are read when they are first
// used.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <tandem/nn/decoder_session.h>
#include <tandem/nn/model_directory.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/bits.h"
#include "support/temporary_folder.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing_support::TemporaryFolder;

nn::Decoder small_decoder() {
  nn::DecoderConfig config;
  config.vocabulary = 7;
  config.width = 8;
  config.heads = 2;
  config.feed_forward_width = 5;
  config.blocks = 2;
  config.position_capacity = 4;
  nn::SplitMix64 generator(3);
  return nn::Decoder(config, generator);
}

Tensor logits_of(const nn::Decoder& decoder) {
  return nn::DecoderSession(decoder).read({1, 2, 3});
}

long page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

class UnreadWeights : public testing::Test {
 protected:
  UnreadWeights() { nn::save_model(folder_.path(), decoder_); }

  fs::path weights() const { return folder_.path() / "model.safetensors"; }

  // The tensors of the file as its header lists them, of f64.
  Json entries() const {
    const auto file = Safetensors::open(weights());
    Json entries;
    for (const std::string& name : file.names()) {
      const Shape& shape = file.shape(name);
      Json extents = Json::array();
      for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        extents.push_back(shape[axis]);
      }
      entries[name] = {{"dtype", "F64"}, {"shape", extents}};
    }
    return entries;
  }

  // Writes a header, and a hole of the size of the data. False where the
  // file system has no room even for a hole.
  bool write_with_hole(Json entries) const {
    std::uint64_t end = 0;
    for (auto& entry : entries) {
      const std::uint64_t begin = end;
      std::uint64_t bytes = entry["dtype"] == "F64" ? 8 : 4;
      for (const auto& extent : entry["shape"]) bytes *= extent.get<size_t>();
      end += bytes;
      entry["data_offsets"] = {begin, end};
    }
    const std::string header = entries.dump();
    std::string file(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
      file[i] = static_cast<char>(header.size() >> (8 * i));
    }
    folder_.put("model.safetensors", file += header);
    std::error_code error;
    fs::resize_file(weights(), file.size() + end, error);
    return !error;
  }

  const TemporaryFolder folder_;
  const nn::Decoder decoder_ = small_decoder();
};

// Converted it would fill 64 GiB; read alone it would fault in each page.
TEST_F(UnreadWeights, AreNotTouchedByOpening) {
  const std::size_t vocabulary = std::size_t{1} << 30;
  Json changed = entries();
  changed["model.embed_tokens.weight"]["shape"][0] = vocabulary;
  if (!write_with_hole(changed)) {
    GTEST_SKIP() << "the file system holds no file of 64 GiB";
  }
  std::ifstream old(folder_.path() / "config.json");
  Json config = Json::parse(old);
  config["vocab_size"] = vocabulary;
  folder_.put("config.json", config.dump());
  const long before = page_faults();
  const nn::Model model = nn::open_model(folder_.path());
  EXPECT_LT(page_faults() - before, 4000);
  EXPECT_EQ(model.decoder.head().table().shape(), (Shape{vocabulary, 8}));
  EXPECT_GT(model.decoder.parameters().scalar_count(), vocabulary * 8);
  model.decoder.parameters().zero_grad();
  // The small ones can be used all the same.
  EXPECT_TRUE(
      same_bits(model.decoder.parameters().at("final_norm.gain").value(), {8},
                std::vector<double>(8, 0.0)));
}

TEST_F(UnreadWeights, NameTheTensorThatIsNotFiniteWhenItIsUsed) {
  const std::string name = "model.layers.1.mlp.up_proj.weight";
  const auto file = Safetensors::open(weights());
  std::vector<StoredTensor> tensors;
  for (const std::string& stored : file.names()) {
    tensors.push_back({stored, file.tensor(stored)});
    if (stored != name) continue;
    const auto values = tensors.back().tensor.values();
    std::vector<double> spoiled(values.begin(), values.end());
    spoiled[11] = std::nan("");
    tensors.back().tensor = Tensor({5, 8}, spoiled);
  }
  write_safetensors(weights(), tensors);
  const nn::Model model = nn::open_model(folder_.path());
  for (int use = 0; use < 2; ++use) {
    EXPECT_EQ(thrown_by<FileError>([&] { logits_of(model.decoder); }),
              "model: " + name + " is not finite: element 11 is nan, in " +
                  weights().string());
  }
  autograd::Parameter parameter =
      model.decoder.parameters().at("blocks.1.ffn.up.weight");
  parameter.update(decoder_.parameters().at("blocks.1.ffn.up.weight").value());
  EXPECT_TRUE(same_bits(logits_of(model.decoder), logits_of(decoder_)));
}

TEST_F(UnreadWeights, NoticeThatTheirFileWasCut) {
  const nn::Model model = nn::open_model(folder_.path());
  fs::resize_file(weights(), 100);
  EXPECT_EQ(thrown_by<FileError>([&] { logits_of(model.decoder); }),
            "safetensors: file has become shorter, in " + weights().string());
}

TEST_F(UnreadWeights, AreThoseOfTheFileThatWasOpened) {
  const nn::Model model = nn::open_model(folder_.path());
  nn::SplitMix64 other(4);
  nn::save_model(folder_.path(), nn::Decoder(decoder_.config(), other));
  EXPECT_TRUE(same_bits(logits_of(model.decoder), logits_of(decoder_)));
}

TEST_F(UnreadWeights, AreSavedOverTheirOwnFile) {
  const nn::Model model = nn::open_model(folder_.path());
  nn::save_model(folder_.path(), model.decoder);
  EXPECT_TRUE(same_bits(logits_of(nn::open_model(folder_.path()).decoder),
                        logits_of(decoder_)));
}

TEST_F(UnreadWeights, AreReadByManyThreadsAtOnce) {
  const Tensor expected = logits_of(decoder_);
  const nn::Model model = nn::open_model(folder_.path());
  std::vector<Tensor> logits(4);
  std::vector<std::thread> threads;
  for (Tensor& result : logits) {
    threads.emplace_back([&] { result = logits_of(model.decoder); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& result : logits) {
    EXPECT_TRUE(same_bits(result, expected));
  }
}

TEST_F(UnreadWeights, AreRefusedAtOnceWhereTheirTypeHoldsNone) {
  Json changed = entries();
  changed["model.norm.weight"]["dtype"] = "I32";
  ASSERT_TRUE(write_with_hole(changed));
  EXPECT_EQ(thrown_by<FileError>([&] { nn::open_model(folder_.path()); }),
            "model: type holds no weights: model.norm.weight is I32, in " +
                weights().string());
}

}  // namespace
}  // namespace tandem::test
