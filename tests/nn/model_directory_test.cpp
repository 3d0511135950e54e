// Model directories: written and opened again, and what is refused.
#include <gtest/gtest.h>
#include <tandem/nn/model_directory.h>
#include <tandem/nn/safetensors.h>
#include <tandem/tensor/error.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/bits.h"
#include "support/shared_directory.h"
#include "support/temporary_folder.h"
#include "support/thrown_message.h"

namespace tandem::test {
namespace {

namespace fs = std::filesystem;
using testing_support::TemporaryFolder;

nn::DecoderConfig small_config(bool tied) {
  nn::DecoderConfig config;
  config.vocabulary = 7;
  config.width = 8;
  config.heads = 2;
  config.key_value_heads = 1;
  config.head_width = 6;
  config.feed_forward_width = 5;
  config.blocks = 2;
  config.position_capacity = 4;
  config.tied_head = tied;
  return config;
}

nn::Decoder small_decoder(bool tied = true) {
  nn::SplitMix64 generator(3);
  return nn::Decoder(small_config(tied), generator);
}

void expect_same_decoder(const nn::Decoder& actual,
                         const nn::Decoder& expected) {
  EXPECT_EQ(actual.config(), expected.config());
  const auto& entries = expected.parameters().entries();
  ASSERT_EQ(actual.parameters().entries().size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(actual.parameters().entries()[i].name, entries[i].name);
    EXPECT_TRUE(same_bits(actual.parameters().entries()[i].parameter.view(),
                          entries[i].parameter.view()))
        << entries[i].name;
  }
}

// The weights in the folder, to be written again with something changed.
std::vector<StoredTensor> stored_in(const fs::path& folder) {
  const auto file = Safetensors::open(folder / "model.safetensors");
  std::vector<StoredTensor> tensors;
  for (const std::string& name : file.names()) {
    const Tensor tensor = file.tensor(name);
    // A copy: the file that the tensor may lie in is about to be replaced.
    tensors.push_back({name, Tensor::copy_of(tensor.shape(), tensor.values())});
  }
  return tensors;
}

class ModelDirectory : public testing::Test {
 protected:
  ModelDirectory() {
    nn::save_model(folder_.path(), small_decoder());
    tensors_ = stored_in(folder_.path());
  }

  fs::path weights() const { return folder_.path() / "model.safetensors"; }

  StoredTensor& stored(const std::string& name) {
    return *std::find_if(tensors_.begin(), tensors_.end(),
                         [&](const auto& t) { return t.name == name; });
  }

  // What opening says about the changed tensors.
  std::string opening_error() const {
    write_safetensors(weights(), tensors_);
    return thrown_by<FileError>([&] { nn::open_model(folder_.path()); });
  }

  std::string fault(const std::string& what) const {
    return "model: " + what + ", in " + weights().string();
  }

  TemporaryFolder folder_;
  std::vector<StoredTensor> tensors_;
};

TEST_F(ModelDirectory, KeepsEveryBitInF64) {
  expect_same_decoder(nn::open_model(folder_.path()).decoder, small_decoder());
}

TEST_F(ModelDirectory, KeepsAHeadOfItsOwn) {
  nn::save_model(folder_.path(), small_decoder(false));
  const nn::Decoder opened = nn::open_model(folder_.path()).decoder;
  expect_same_decoder(opened, small_decoder(false));
  EXPECT_EQ(opened.parameters().entries().back().name, "head.weight");
}

TEST_F(ModelDirectory, IsWrittenInNamesAndLayoutsOfTheFormat) {
  const auto file = Safetensors::open(weights());
  EXPECT_EQ(file.metadata().at("format"), "pt");
  EXPECT_EQ(file.names().size(), 2u + 2 * 9);
  EXPECT_EQ(file.shape("model.layers.1.mlp.gate_proj.weight"), (Shape{5, 8}));
  EXPECT_EQ(file.shape("model.layers.1.mlp.down_proj.weight"), (Shape{8, 5}));
  EXPECT_FALSE(file.contains("lm_head.weight"));
  const nn::Decoder decoder = small_decoder();
  const auto ours = [&](const std::string& name) {
    return decoder.parameters().at("blocks.1.attention." + name).value();
  };
  const auto theirs = [&](const std::string& name) {
    return file.tensor("model.layers.1.self_attn." + name);
  };
  for (std::size_t in = 0; in < 8; ++in) {
    EXPECT_EQ(theirs("v_proj.weight").at({4, in}),
              ours("value.weight").at({in, 4}));
    // Head 1 has rows 6 to 11: pair 2 of it is (8, 11) there, (10, 11) here.
    EXPECT_EQ(theirs("q_proj.weight").at({8, in}),
              ours("query.weight").at({in, 10}));
    EXPECT_EQ(theirs("q_proj.weight").at({11, in}),
              ours("query.weight").at({in, 11}));
    EXPECT_EQ(theirs("k_proj.weight").at({3, in}),
              ours("key.weight").at({in, 1}));
  }
}

TEST_F(ModelDirectory, RoundsOnceInOtherTypes) {
  nn::SaveOptions options;
  options.type = ElementType::bf16;
  options.begin_token = 1;
  options.end_tokens = {2, 3};
  nn::save_model(folder_.path(), small_decoder(), options);
  const nn::Model once = nn::open_model(folder_.path());
  EXPECT_EQ(once.config.type, ElementType::bf16);
  EXPECT_EQ(once.config.begin_token, 1u);
  EXPECT_EQ(once.config.end_tokens, (std::vector<TokenId>{2, 3}));
  EXPECT_EQ(once.tokenizer, std::nullopt);
  nn::save_model(folder_.path(), once.decoder, options);
  expect_same_decoder(nn::open_model(folder_.path()).decoder, once.decoder);
}

TEST_F(ModelDirectory, TakesTheEndTokensOfItsGenerationConfig) {
  nn::SaveOptions options;
  options.end_tokens = {2};
  nn::save_model(folder_.path(), small_decoder(), options);
  const auto end_tokens = [&] {
    return nn::open_model(folder_.path()).config.end_tokens;
  };
  const fs::path path = folder_.put("generation_config.json",
                                    R"({"eos_token_id": [5, 6],
                                        "temperature": 0.6})");
  EXPECT_EQ(end_tokens(), (std::vector<TokenId>{5, 6}));
  folder_.put("generation_config.json", R"({"temperature": 0.6})");
  EXPECT_EQ(end_tokens(), std::vector<TokenId>{2});
  folder_.put("generation_config.json", R"({"eos_token_id": "</s>"})");
  EXPECT_EQ(thrown_by<FileError>([&] { end_tokens(); }),
            "config: malformed: 'eos_token_id' is not a whole number, in " +
                path.string());
  fs::remove(path);
  EXPECT_EQ(end_tokens(), std::vector<TokenId>{2});
}

TEST_F(ModelDirectory, NamesALinkThatLeadsNowhere) {
  for (const char* name : {"generation_config.json", "tokenizer.json"}) {
    const fs::path link = folder_.path() / name;
    fs::remove(link);
    fs::create_symlink("nowhere", link);
    const std::string message =
        thrown_by<FileError>([&] { nn::open_model(folder_.path()); });
    EXPECT_NE(message.find(link.string()), std::string::npos) << message;
    fs::remove(link);
  }
  EXPECT_NO_THROW(nn::open_model(folder_.path()));
}

TEST_F(ModelDirectory, IsSavedOverTheEndTokensOfAnother) {
  folder_.put("generation_config.json", R"({"eos_token_id": [5, 6]})");
  nn::SaveOptions options;
  options.end_tokens = {2, 3};
  nn::save_model(folder_.path(), small_decoder(), options);
  EXPECT_EQ(nn::open_model(folder_.path()).config.end_tokens,
            (std::vector<TokenId>{2, 3}));
}

TEST_F(ModelDirectory, OpensShardsThroughTheirIndex) {
  fs::remove(weights());
  const auto middle =
      tensors_.begin() + static_cast<std::ptrdiff_t>(tensors_.size() / 2);
  const std::vector<StoredTensor> parts[]{{tensors_.begin(), middle},
                                          {middle, tensors_.end()}};
  nlohmann::json index{{"weight_map", nlohmann::json::object()}};
  for (const auto& part : parts) {
    const std::string name = &part == parts ? "a.safetensors" : "b.safetensors";
    write_safetensors(folder_.path() / name, part);
    for (const auto& tensor : part) index["weight_map"][tensor.name] = name;
  }
  folder_.put("model.safetensors.index.json", index.dump());
  expect_same_decoder(nn::open_model(folder_.path()).decoder, small_decoder());
}

TEST_F(ModelDirectory, NamesAMissingTensor) {
  const std::string name = "model.layers.1.self_attn.o_proj.weight";
  std::erase_if(tensors_, [&](const auto& t) { return t.name == name; });
  EXPECT_EQ(opening_error(), fault("missing tensor: " + name));
}

TEST_F(ModelDirectory, NamesAnUnknownTensor) {
  const std::string name = "model.layers.0.self_attn.q_proj.bias";
  tensors_.push_back({name, Tensor::zeros({12})});
  EXPECT_EQ(opening_error(), fault("unknown tensor: " + name));
}

TEST_F(ModelDirectory, NamesATensorOfAnotherShape) {
  stored("model.layers.0.mlp.up_proj.weight").tensor = Tensor::zeros({8, 5});
  EXPECT_EQ(opening_error(),
            fault("shape differs: model.layers.0.mlp.up_proj.weight is [8, 5], "
                  "needed is [5, 8]"));
}

TEST_F(ModelDirectory, TakesATiedHeadThatIsStoredToo) {
  tensors_.push_back(
      {"lm_head.weight", stored("model.embed_tokens.weight").tensor});
  EXPECT_EQ(opening_error(), "(nothing was thrown)");
  tensors_.back().tensor = Tensor::zeros({7, 8});
  EXPECT_EQ(opening_error(), fault("tied tensors differ: lm_head.weight, "
                                   "model.embed_tokens.weight"));
}

TEST_F(ModelDirectory, TakesATiedHeadThatIsStoredInAnotherType) {
  Tensor& table = stored("model.embed_tokens.weight").tensor;
  table = Tensor::full({7, 8}, 0.5);
  tensors_.push_back({"lm_head.weight", table, ElementType::bf16});
  EXPECT_EQ(opening_error(), "(nothing was thrown)");
}

TEST_F(ModelDirectory, PassesOverTheAnglesOfOldCheckpoints) {
  tensors_.push_back(
      {"model.layers.0.self_attn.rotary_emb.inv_freq", Tensor::ones({3})});
  EXPECT_EQ(opening_error(), "(nothing was thrown)");
}

TEST_F(ModelDirectory, NamesAFileThatIsNotThere) {
  fs::remove(weights());
  EXPECT_EQ(thrown_by<FileError>([&] { nn::open_model(folder_.path()); }),
            "safetensors: cannot read: No such file or directory, in " +
                weights().string());
  const fs::path config = folder_.path() / "config.json";
  fs::remove(config);
  EXPECT_EQ(
      thrown_by<FileError>([&] { nn::open_model(folder_.path()); }),
      "config: cannot read: No such file or directory, in " + config.string());
}

TEST_F(ModelDirectory, RefusesTypesThatHoldNoWeights) {
  nn::SaveOptions options;
  options.type = ElementType::i32;
  EXPECT_EQ(thrown_by<FileError>([&] {
              nn::save_model(folder_.path(), small_decoder(), options);
            }),
            "config: weights cannot be of this type: I32");
  expect_same_decoder(nn::open_model(folder_.path()).decoder, small_decoder());
}

TEST(SharedModels, AreWrittenAndOpenedWithoutALostBit) {
  TANDEM_NEED_SHARED("models");
  for (const fs::path& path : shared_files("models", "", "")) {
    SCOPED_TRACE(path.filename().string());
    const nn::Model model = nn::open_model(path);
    ASSERT_TRUE(model.tokenizer);
    const TemporaryFolder folder;
    nn::SaveOptions options;
    options.tokenizer = path / "tokenizer.json";
    nn::save_model(folder.path() / "copy", model.decoder, options);
    const nn::Model copy = nn::open_model(folder.path() / "copy");
    expect_same_decoder(copy.decoder, model.decoder);
    EXPECT_EQ(copy.tokenizer->encode("a text"),
              model.tokenizer->encode("a text"));
  }
}

}  // namespace
}  // namespace tandem::test
