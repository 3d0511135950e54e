// Tokenizer: what each option of a tokenizer.json does.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>
#include <tandem/text/tokenizer.h>

#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "text/small_tokenizers.h"

namespace tandem {
namespace {

using testing_support::byte_level_document;
using testing_support::fallback_document;
using testing_support::Json;
using testing_support::low_line;
using Tokens = std::vector<TokenId>;

Tokenizer tokenizer_of(const Json& document) {
  return Tokenizer::from_json(document.dump(), "test");
}

// The pieces that a byte-level document cuts `text` into, without merges in
// their way: every piece that is asked for is a token.
std::vector<std::string> pieces_of(Json document, const std::string& text,
                                   const std::vector<std::string>& spelled) {
  document["model"]["ignore_merges"] = true;
  for (const std::string& piece : spelled) {
    Json& vocabulary = document["model"]["vocab"];
    if (!vocabulary.contains(piece)) vocabulary[piece] = vocabulary.size();
  }
  const Tokenizer tokenizer = tokenizer_of(document);
  std::vector<std::string> pieces;
  for (const TokenId id : tokenizer.encode(text)) {
    pieces.push_back(tokenizer.decode(Tokens{id}, SpecialTokens::show));
  }
  return pieces;
}

TokenId sign(char c) { return static_cast<TokenId>(c - ' '); }

TEST(ByteLevelTokenizer, MergesWithinPiecesByRank) {
  const Tokenizer tokenizer =
      tokenizer_of(byte_level_document({{"b", "c"}, {"a", "b"}}));
  EXPECT_EQ(tokenizer.encode("abc ab"),
            (Tokens{sign('a'), 257, *tokenizer.id_of("\xc4\xa0"), 258}));
}

TEST(ByteLevelTokenizer, CutsTextAsGpt2Does) {
  const std::string space = "\xc4\xa0";
  EXPECT_EQ(pieces_of(byte_level_document(), "it's  fine, 42x!\n\n",
                      {"it", "'s", space, space + "fine", ",", space + "42",
                       "x", "!", "\xc4\x8a\xc4\x8a"}),
            (std::vector<std::string>{"it", "'s", " ", " fine", ",", " 42", "x",
                                      "!", "\n\n"}));
}

// In the byte alphabet U+0085 is spelled as below, and so on: where a sign and
// what follows are one piece, they are the one token of that spelling.
TEST(ByteLevelTokenizer, TakesWhiteSpaceFromUnicode) {
  const auto count_of_pieces = [](const std::string& text,
                                  const std::string& spelled) {
    return pieces_of(byte_level_document(), text, {"!" + spelled, spelled})
        .size();
  };
  EXPECT_EQ(count_of_pieces("!\xc2\x85", "\xc3\x82\xc4\xa7"), 2u);
  EXPECT_EQ(count_of_pieces("!\xc2\xa0", "\xc3\x82\xc5\x82"), 2u);
  EXPECT_EQ(count_of_pieces("!\xe3\x80\x80", "\xc3\xa3\xc4\xa2\xc4\xa2"), 2u);
  EXPECT_EQ(count_of_pieces("!\xe1\xa0\x8e", "\xc3\xa1\xc5\x82\xc4\xb0"), 1u);
}

TEST(ByteLevelTokenizer, IsolatesDigitsBeforeItCutsWords) {
  Json document = byte_level_document();
  document["pre_tokenizer"] = {
      {"type", "Sequence"},
      {"pretokenizers",
       Json::array({{{"type", "Digits"}, {"individual_digits", true}},
                    {{"type", "ByteLevel"}, {"add_prefix_space", false}}})}};
  EXPECT_EQ(pieces_of(document, "ab12", {"ab", "12"}),
            (std::vector<std::string>{"ab", "1", "2"}));
  document["pre_tokenizer"]["pretokenizers"][0]["individual_digits"] = false;
  EXPECT_EQ(pieces_of(document, "ab12", {"ab", "12", "b12"}),
            (std::vector<std::string>{"ab", "12"}));
}

TEST(ByteLevelTokenizer, SplitsByAPatternOfTheFile) {
  Json document = byte_level_document();
  const auto split = [&](const char* behavior) {
    document["pre_tokenizer"] = {
        {"type", "Sequence"},
        {"pretokenizers", Json::array({{{"type", "Split"},
                                        {"pattern", {{"Regex", "\\p{N}{1,3}"}}},
                                        {"behavior", behavior},
                                        {"invert", false}},
                                       {{"type", "ByteLevel"},
                                        {"add_prefix_space", false},
                                        {"use_regex", false}}})}};
    return pieces_of(document, "a-b1234c", {"a-b", "123", "4c"});
  };
  EXPECT_EQ(split("Isolated"),
            (std::vector<std::string>{"a-b", "123", "4", "c"}));
  EXPECT_EQ(split("Removed"), (std::vector<std::string>{"a-b", "c"}));
}

TEST(ByteLevelTokenizer, SplitsByALiteralOfTheFile) {
  Json document = byte_level_document();
  document["pre_tokenizer"] = {
      {"type", "Sequence"},
      {"pretokenizers", Json::array({{{"type", "Split"},
                                      {"pattern", {{"String", "a.b"}}},
                                      {"behavior", "Isolated"}},
                                     {{"type", "ByteLevel"},
                                      {"add_prefix_space", false},
                                      {"use_regex", false}}})}};
  EXPECT_EQ(pieces_of(document, "axba.bx", {"axb", "a.b", "axba.bx"}),
            (std::vector<std::string>{"axb", "a.b", "x"}));
}

TEST(ByteLevelTokenizer, PutsASpaceInFrontWhereTheFileSaysSo) {
  Json document = byte_level_document();
  document["pre_tokenizer"]["add_prefix_space"] = true;
  const Tokenizer tokenizer = tokenizer_of(document);
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("a")), " a");
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(" a")), " a");
  EXPECT_EQ(tokenizer.encode(""), Tokens{});
}

TEST(ByteLevelTokenizer, TakesAWholePieceWhereMergesAreIgnored) {
  Json document = byte_level_document({{"b", "c"}});
  document["model"]["vocab"]["abc"] = 258;
  EXPECT_EQ(tokenizer_of(document).encode("abc"), (Tokens{sign('a'), 257}));
  document["model"]["ignore_merges"] = true;
  EXPECT_EQ(tokenizer_of(document).encode("abc"), (Tokens{258}));
}

TEST(ByteLevelTokenizer, ReadsMergesThatAreWrittenAsOneString) {
  Json document = byte_level_document({{"b", "c"}});
  document["model"]["merges"][0] = "b c";
  EXPECT_EQ(tokenizer_of(document).encode("bc"), (Tokens{257}));
}

TEST(ByteLevelTokenizer, FindsAddedTokensBeforeAnythingElse) {
  Json document = byte_level_document();
  document["added_tokens"].push_back(
      testing_support::added_token(257, "<end>!", true, false));
  document["added_tokens"].push_back(
      testing_support::added_token(258, "word", false, true));
  const Tokenizer tokenizer = tokenizer_of(document);
  EXPECT_EQ(tokenizer.encode("a<end>b<end>!<endword"),
            (Tokens{sign('a'), 0, sign('b'), 257, sign('<'), sign('e'),
                    sign('n'), sign('d'), 258}));
  EXPECT_EQ(tokenizer.vocabulary_size(), 259u);
  EXPECT_EQ(tokenizer.id_of("word"), std::optional<TokenId>(258));
  EXPECT_EQ(tokenizer.id_of("nowhere"), std::nullopt);
}

TEST(ByteLevelTokenizer, LeavesSpecialTokensOutOfTextUnlessAsked) {
  const Tokenizer tokenizer = tokenizer_of(byte_level_document());
  const Tokens tokens{sign('a'), 0, sign('b')};
  EXPECT_EQ(tokenizer.decode(tokens), "ab");
  EXPECT_EQ(tokenizer.decode(tokens, SpecialTokens::show), "a<end>b");
}

TEST(ByteLevelTokenizer, HandlesLongRunsOfEveryKind) {
  const Tokenizer tokenizer = tokenizer_of(byte_level_document());
  for (const char c : {'a', '1', '!', ' ', '\n', '\''}) {
    const std::string run(300'000, c);
    ASSERT_EQ(tokenizer.decode(tokenizer.encode(run)), run) << c;
  }
}

TEST(ByteLevelTokenizer, RefusesTextThatIsNotUtf8) {
  const Tokenizer tokenizer = tokenizer_of(byte_level_document());
  try {
    tokenizer.encode("ab\xff");
    FAIL();
  } catch (const TokenizerError& error) {
    EXPECT_STREQ(error.what(), "encode: invalid UTF-8: byte 0xff at offset 2");
  }
}

TEST(ByteLevelTokenizer, RefusesAByteThatHasNoToken) {
  Json document = byte_level_document();
  document["model"]["vocab"].erase("a");
  const Tokenizer tokenizer = tokenizer_of(document);
  EXPECT_EQ(tokenizer.encode("b"), (Tokens{sign('b')}));
  try {
    tokenizer.encode("ba");
    FAIL();
  } catch (const TokenizerError& error) {
    EXPECT_STREQ(error.what(), "tokenizer: byte without a token: <0x61>");
  }
}

TEST(ByteLevelTokenizer, RefusesToDecodeWhatIsNoToken) {
  Json document = byte_level_document();
  document["model"]["vocab"]["far"] = 300;
  const Tokenizer tokenizer = tokenizer_of(document);
  EXPECT_EQ(tokenizer.decode(Tokens{300}), "far");
  for (const TokenId id : {TokenId{299}, TokenId{301}, ~TokenId{0}}) {
    try {
      tokenizer.decode(Tokens{id});
      FAIL();
    } catch (const TokenizerError& error) {
      EXPECT_EQ(error.what(), "decode: unknown token: " + std::to_string(id) +
                                  ", the vocabulary has 301");
    }
  }
}

TEST(FallbackTokenizer, MarksSpacesAndFramesTheText) {
  const Tokenizer tokenizer = tokenizer_of(
      fallback_document({{low_line, "a"}, {"a", "b"}, {low_line, low_line}}));
  const TokenId line = 259, b = 261;
  EXPECT_EQ(tokenizer.encode("ab ab"), (Tokens{1, 286, b, 286, b}));
  EXPECT_EQ(tokenizer.encode("ab", Framing::none), (Tokens{286, b}));
  EXPECT_EQ(tokenizer.encode("  b"), (Tokens{1, 288, line, b}));
  EXPECT_EQ(tokenizer.encode(""), (Tokens{1}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(" a  b ")), " a  b ");
}

TEST(FallbackTokenizer, SpellsUnknownCharactersByBytes) {
  const Tokenizer tokenizer = tokenizer_of(fallback_document());
  EXPECT_EQ(tokenizer.encode("\xc3\xa9Z", Framing::none),
            (Tokens{259, 3 + 0xc3, 3 + 0xa9, 3 + 'Z'}));
}

TEST(FallbackTokenizer, NormalizesBetweenAddedTokens) {
  const Tokenizer tokenizer = tokenizer_of(fallback_document());
  EXPECT_EQ(tokenizer.encode("a</s>b", Framing::none),
            (Tokens{259, 260, 2, 259, 261}));
}

TEST(FallbackTokenizer, TakesALowLineForASpace) {
  const Tokenizer tokenizer = tokenizer_of(fallback_document());
  EXPECT_EQ(tokenizer.decode(Tokens{259, 260, 259, 259}), "a  ");
}

TEST(Tokenizer, OpensAFile) {
  const testing_support::TemporaryFolder folder;
  const auto path = folder.put("tokenizer.json", byte_level_document().dump());
  EXPECT_EQ(Tokenizer::open(path).vocabulary_size(), 257u);
}

TEST(Tokenizer, SaysThatItCannotReadAFile) {
  const testing_support::TemporaryFolder folder;
  for (const auto& path : {folder.path() / "absent", folder.path()}) {
    try {
      Tokenizer::open(path);
      FAIL();
    } catch (const FileError& error) {
      EXPECT_EQ(error.what(), "tokenizer: cannot read: " + path.string());
    }
  }
}

}  // namespace
}  // namespace tandem
