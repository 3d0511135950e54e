// TextStream: characters come whole, and add up to what decode says.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>
#include <tandem/text/tokenizer.h>

#include <random>
#include <string>
#include <vector>

#include "text/small_tokenizers.h"

namespace tandem {
namespace {

using Tokens = std::vector<TokenId>;
using Texts = std::vector<std::string>;

const std::string broken = "\xef\xbf\xbd";  // the replacement character

Tokenizer byte_level() {
  return Tokenizer::from_json(testing_support::byte_level_document().dump(),
                              "test");
}

Tokenizer fallback() {
  return Tokenizer::from_json(testing_support::fallback_document().dump(),
                              "test");
}

// The token of a byte in the Llama-like vocabulary.
TokenId fallback_byte(unsigned byte) { return 3 + byte; }

Texts streamed(const Tokenizer& tokenizer, const Tokens& tokens) {
  TextStream stream(tokenizer);
  Texts texts;
  for (const TokenId token : tokens) texts.push_back(stream.push(token));
  texts.push_back(stream.finish());
  return texts;
}

std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

// The token of a byte in the byte-level vocabulary, by way of the alphabet.
Tokens byte_level_tokens(const std::string& bytes) {
  const testing_support::Json document = testing_support::byte_level_document();
  std::vector<TokenId> by_byte;
  unsigned other = 0x100;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 33 && byte <= 126) ||
                        (byte >= 161 && byte <= 172) || byte >= 174;
    by_byte.push_back(document["model"]["vocab"]
                              [testing_support::utf8_of(itself ? byte : other)]
                                  .get<TokenId>());
    if (!itself) ++other;
  }
  Tokens tokens;
  for (const char byte : bytes) {
    tokens.push_back(by_byte[static_cast<unsigned char>(byte)]);
  }
  return tokens;
}

TEST(TextStream, HoldsACharacterUntilItIsWhole) {
  EXPECT_EQ(streamed(byte_level(), byte_level_tokens("a\xe2\x82\xac"
                                                     "b")),
            (Texts{"a", "", "", "\xe2\x82\xac", "b", ""}));
}

TEST(TextStream, ReplacesEachMaximalBeginningOfACharacterOnce) {
  EXPECT_EQ(streamed(byte_level(), byte_level_tokens("\xe2\x82"
                                                     "b\xff")),
            (Texts{"", "", broken + "b", broken, ""}));
  EXPECT_EQ(streamed(byte_level(), byte_level_tokens("\xf0\x9f\x98")),
            (Texts{"", "", "", broken}));
}

TEST(TextStream, GivesOutCharactersOfFallbackBytesAtOnce) {
  EXPECT_EQ(
      streamed(fallback(), {fallback_byte(0xc3), fallback_byte(0xa9),
                            fallback_byte(0xc3), fallback_byte(0xa9), 260}),
      (Texts{"", "\xc3\xa9", "", "\xc3\xa9", "a", ""}));
}

TEST(TextStream, ReplacesEachFallbackByteThatIsLeftOver) {
  EXPECT_EQ(
      streamed(fallback(), {fallback_byte(0xe2), fallback_byte(0x82), 260}),
      (Texts{"", "", broken + broken + "a", ""}));
}

TEST(TextStream, LosesTheFirstSpaceOnlyOnce) {
  const TokenId line = 259;
  EXPECT_EQ(streamed(fallback(), {1, line, 260, line, 260}),
            (Texts{"", "", "a", " ", "a", ""}));
  EXPECT_EQ(streamed(fallback(), {260, line, 260}), (Texts{"a", " ", "a", ""}));
}

TEST(TextStream, BeginsAnewAfterTheEnd) {
  const TokenId line = 259;
  TextStream stream(fallback());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(stream.push(line), "");
    EXPECT_EQ(stream.push(260), "a");
    EXPECT_EQ(stream.finish(), "");
  }
}

TEST(TextStream, ShowsSpecialTokensWhenAsked) {
  TextStream stream(fallback(), SpecialTokens::show);
  EXPECT_EQ(stream.push(2), "</s>");
}

TEST(TextStream, OutlivesItsTokenizer) {
  TextStream stream = [] { return TextStream(fallback()); }();
  EXPECT_EQ(stream.push(260), "a");
}

TEST(TextStream, RefusesWhatIsNoToken) {
  TextStream stream(fallback());
  EXPECT_THROW(stream.push(100000), TokenizerError);
}

TEST(TextStream, AddsUpToDecodeForAnyBytesOfAByteLevelModel) {
  const Tokenizer tokenizer = byte_level();
  std::mt19937 random(8);
  // Lead and continuation bytes often, so that characters begin and break.
  const std::string bytes = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\xff";
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 12, 'a');
    for (char& byte : text) byte = bytes[random() % bytes.size()];
    const Tokens tokens = byte_level_tokens(text);
    ASSERT_EQ(joined(streamed(tokenizer, tokens)), tokenizer.decode(tokens));
  }
}

// As the format's own implementation: one broken byte breaks its whole run.
TEST(Decode, WithdrawsARunOfFallbackBytesThatIsIllFormed) {
  const Tokens tokens{260, fallback_byte(0xc3), fallback_byte(0xa9),
                      fallback_byte(0xff), 261};
  EXPECT_EQ(fallback().decode(tokens), "a" + broken + broken + broken + "b");
  EXPECT_EQ(joined(streamed(fallback(), tokens)), "a\xc3\xa9" + broken + "b");
}

}  // namespace
}  // namespace tandem
