// What another implementation of the format makes of strings, and back: every
// case of every tokenizer, id by id.
#include <gtest/gtest.h>
#include <tandem/text/tokenizer.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/shared_directory.h"

namespace tandem {
namespace {

using Json = nlohmann::json;
using Tokens = std::vector<TokenId>;

Json read_json(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return Json::parse(stream);
}

// By the name of the folder that holds it.
std::map<std::string, std::filesystem::path> tokenizer_files() {
  std::map<std::string, std::filesystem::path> files;
  for (const char* folder : {"tokenizers", "models"}) {
    for (const auto& path :
         test::shared_files_below(folder, "tokenizer.json")) {
      files[path.parent_path().filename().string()] = path;
    }
  }
  return files;
}

void expect_case(const Tokenizer& tokenizer, const Json& expected) {
  const auto text = expected.at("text").get<std::string>();
  const Tokens ids = expected.at("ids").get<Tokens>();
  const auto decoded = expected.at("decoded").get<std::string>();
  EXPECT_EQ(tokenizer.encode(text), ids) << text;
  EXPECT_EQ(tokenizer.decode(ids), decoded) << text;
  TextStream stream(tokenizer);
  std::string streamed;
  for (const TokenId id : ids) streamed += stream.push(id);
  EXPECT_EQ(streamed + stream.finish(), decoded) << text;
}

TEST(SharedTokenizations, AgreeInEveryIdAndEveryDecodedString) {
  const auto path = test::shared_directory() / "cases" / "tokenizations.json";
  TANDEM_NEED_SHARED("cases/tokenizations.json");
  const auto files = tokenizer_files();
  std::size_t cases = 0;
  const Json document = read_json(path);
  for (const auto& [name, group] : document.at("cases").items()) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(files.contains(name)) << "no tokenizer.json for " << name;
    const Tokenizer tokenizer = Tokenizer::open(files.at(name));
    for (const Json& expected : group) {
      expect_case(tokenizer, expected);
      ++cases;
    }
  }
  EXPECT_GT(cases, 0u);
  RecordProperty("cases", static_cast<int>(cases));
}

// A case lists the ids behind its text under one of two names.
Tokens ids_of_text(const Json& generated) {
  const char* key =
      generated.contains("generated_ids") ? "generated_ids" : "ids_after_bos";
  return generated.at(key).get<Tokens>();
}

TEST(SharedTokenizations, AgreeWithEveryModelsGeneratedText) {
  TANDEM_NEED_SHARED("models");
  std::size_t texts = 0;
  for (const auto& path : test::shared_files_below("models", "greedy.json")) {
    const Tokenizer tokenizer =
        Tokenizer::open(path.parent_path() / "tokenizer.json");
    const Json document = read_json(path);
    for (const Json& generated : document.at("cases")) {
      EXPECT_EQ(tokenizer.decode(ids_of_text(generated)),
                generated.at("text").get<std::string>());
      if (generated.contains("prompt_ids")) {
        EXPECT_EQ(tokenizer.encode(generated.at("prompt").get<std::string>()),
                  generated.at("prompt_ids").get<Tokens>());
      }
      ++texts;
    }
  }
  EXPECT_GT(texts, 0u);
}

TEST(SharedTokenizations, BringBackEveryTextByteForByte) {
  TANDEM_NEED_SHARED("tokenizers");
  const auto files = tokenizer_files();
  ASSERT_FALSE(files.empty());
  std::string text;
  for (const char* part :
       {"def f(x):\n\treturn x**2  # \xc3\xa9\n\n", "\xe2\x82\xac 12,345.67",
        "  \xf0\x9f\x99\x82\xf0\x9f\x91\x8d ", "\xe6\x97\xa5\xe6\x9c\xac",
        "\x01\x7f", "can't WON'T "}) {
    text += part;
  }
  for (const auto& [name, path] : files) {
    const Tokenizer tokenizer = Tokenizer::open(path);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text) << name;
  }
}

}  // namespace
}  // namespace tandem
