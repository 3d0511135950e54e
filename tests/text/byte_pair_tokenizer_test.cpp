// BytePairTokenizer: the id layout, the three ways in and out, every error.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>
#include <tandem/text/byte_pair_tokenizer.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tandem {
namespace {

using Ids = std::vector<TokenId>;
using Merges = std::vector<MergePair>;

TokenId byte(char value) {
  return BytePairTokenizer::first_byte + static_cast<unsigned char>(value);
}

Ids bytes(const std::string& text) {
  Ids ids;
  for (const char c : text) ids.push_back(byte(c));
  return ids;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const TokenizerError& error) {
    return error.what();
  }
  return "no TokenizerError";
}

std::string construction_error(const Merges& merges) {
  return message_of([&] { BytePairTokenizer tokenizer(merges); });
}

TEST(BytePairTokenizer, GivesEveryByteItsOwnToken) {
  std::string all;
  Ids expected;
  for (int value = 0; value < 256; ++value) {
    all.push_back(static_cast<char>(value));
    expected.push_back(static_cast<TokenId>(value) + 2);
  }
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(tokenizer.encode_bytes(all), expected);
  EXPECT_EQ(tokenizer.decode_bytes(expected), all);
}

TEST(BytePairTokenizer, CountsControlsBytesAndMerges) {
  EXPECT_EQ(BytePairTokenizer().vocabulary_size(), 258u);
  const Merges merges{{99, 100}, {258, 99}};
  EXPECT_EQ(BytePairTokenizer(merges).vocabulary_size(), 260u);
}

TEST(BytePairTokenizer, EncodesNothingAsNothing) {
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(tokenizer.encode_text(""), Ids{});
  EXPECT_EQ(tokenizer.decode_text(Ids{}), "");
  EXPECT_EQ(tokenizer.encode_document(""), (Ids{0, 1}));
  EXPECT_EQ(tokenizer.decode_document(Ids{0, 1}), "");
}

TEST(BytePairTokenizer, FramesADocumentAndUnframesIt) {
  const Merges merges{{byte('h'), byte('i')}};
  const BytePairTokenizer tokenizer(merges);
  const Ids ids{0, 258, byte('!'), 1};
  EXPECT_EQ(tokenizer.encode_document("hi!"), ids);
  EXPECT_EQ(tokenizer.decode_document(ids), "hi!");
}

TEST(BytePairTokenizer, NeverMergesTheBytesOfAControlWithContent) {
  const Merges merges{{2, 3}};  // the bytes 0 and 1
  const BytePairTokenizer tokenizer(merges);
  EXPECT_EQ(tokenizer.encode_document(std::string("\0\1", 2)),
            (Ids{0, 258, 1}));
}

TEST(BytePairTokenizer, MergesTheLowestRankFirstWhereverItStands) {
  const TokenId a = byte('a'), b = byte('b'), c = byte('c'), d = byte('d');
  const Merges two{{b, c}, {a, b}};
  EXPECT_EQ(BytePairTokenizer(two).encode_text("abc"), (Ids{a, 258}));
  const Merges three{{b, c}, {a, b}, {c, d}};
  EXPECT_EQ(BytePairTokenizer(three).encode_text("abcd"), (Ids{a, 258, d}));
}

TEST(BytePairTokenizer, MergesRepeatsFromTheLeftWithoutOverlap) {
  const TokenId a = byte('a'), b = byte('b');
  const Merges classic{{a, a}, {258, a}, {259, b}};
  EXPECT_EQ(BytePairTokenizer(classic).encode_text("aaabdaaabac"),
            (Ids{260, byte('d'), 260, a, byte('c')}));
  const Merges once{{a, a}};
  EXPECT_EQ(BytePairTokenizer(once).encode_text("aaaaa"), (Ids{258, 258, a}));
  const Merges twice{{a, a}, {258, 258}};
  EXPECT_EQ(BytePairTokenizer(twice).encode_text("aaaaaaa"),
            (Ids{259, 258, a}));
}

TEST(BytePairTokenizer, TakesBrokenCharactersAsBytes) {
  const BytePairTokenizer tokenizer;
  for (const std::string broken : {"\xe6\xad", "\xff", "\xe2\x80"}) {
    EXPECT_EQ(tokenizer.encode_bytes(broken), bytes(broken));
    EXPECT_EQ(tokenizer.decode_bytes(bytes(broken)), broken);
  }
}

TEST(BytePairTokenizer, RejectsBrokenCharactersAsText) {
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(message_of([&] { tokenizer.encode_text("\xe6\xad"); }),
            "encode_text: invalid UTF-8: byte 0xe6 at offset 0");
  EXPECT_EQ(message_of([&] { tokenizer.encode_text("ok\xff"); }),
            "encode_text: invalid UTF-8: byte 0xff at offset 2");
  EXPECT_EQ(message_of([&] { tokenizer.encode_document("\xe2\x80"); }),
            "encode_document: invalid UTF-8: byte 0xe2 at offset 0");
  EXPECT_EQ(message_of([&] { tokenizer.decode_text(bytes("a\xe6\xad")); }),
            "decode_text: invalid UTF-8: byte 0xe6 at offset 1");
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_document(Ids{0, 130, 1});
            }),
            "decode_document: invalid UTF-8: byte 0x80 at offset 0");
}

TEST(BytePairTokenizer, KnowsTheBordersOfUtf8) {
  const BytePairTokenizer tokenizer;
  for (const std::string text : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80",
                                 "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
                                 "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(tokenizer.encode_text(text), bytes(text));
  }
  for (const std::string text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc2\xc2",
        "\xe1\x80\xc0", "\xf1\x80\x80"}) {
    EXPECT_THROW(tokenizer.encode_text(text), TokenizerError);
  }
}

TEST(BytePairTokenizer, RejectsALayoutThatOverflows) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(BytePairTokenizer::vocabulary_size(most - 258), most);
  EXPECT_EQ(message_of([&] { BytePairTokenizer::vocabulary_size(most - 257); }),
            "byte_pair_tokenizer: layout overflow: " +
                std::to_string(most - 257) + " merges do not fit above id 257");
}

TEST(BytePairTokenizer, RejectsAnOperandThatDoesNotExistYet) {
  EXPECT_EQ(construction_error({{99, 258}}),
            "byte_pair_tokenizer: unknown merge operand: rank 0 joins 99 and "
            "258, known are 2 to 257");
  EXPECT_EQ(construction_error({{99, 99}, {300, 99}}),
            "byte_pair_tokenizer: unknown merge operand: rank 1 joins 300 and "
            "99, known are 2 to 258");
}

TEST(BytePairTokenizer, RejectsAControlAsAnOperand) {
  EXPECT_EQ(construction_error({{0, 99}}),
            "byte_pair_tokenizer: unknown merge operand: rank 0 joins 0 and "
            "99, known are 2 to 257");
  EXPECT_EQ(construction_error({{99, 1}}),
            "byte_pair_tokenizer: unknown merge operand: rank 0 joins 99 and "
            "1, known are 2 to 257");
}

TEST(BytePairTokenizer, RejectsAPairThatStandsTwice) {
  EXPECT_EQ(construction_error({{99, 100}, {100, 99}, {99, 100}}),
            "byte_pair_tokenizer: duplicate merge pair: 99 and 100 at ranks 0 "
            "and 2");
}

TEST(BytePairTokenizer, RejectsAControlTokenInContent) {
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_bytes(Ids{5, 0});
            }),
            "decode_bytes: control token in content: 0 at position 1");
  EXPECT_EQ(message_of([&] { tokenizer.decode_text(Ids{1}); }),
            "decode_text: control token in content: 1 at position 0");
}

TEST(BytePairTokenizer, RejectsATokenOutsideTheVocabulary) {
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_bytes(Ids{5, 258});
            }),
            "decode_bytes: unknown token: 258 at position 1, the vocabulary "
            "has 258");
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_document(Ids{0, 5, 900, 1});
            }),
            "decode_document: unknown token: 900 at position 2, the "
            "vocabulary has 258");
}

TEST(BytePairTokenizer, RejectsADocumentWithoutItsFrame) {
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(message_of([&] { tokenizer.decode_document(Ids{0}); }),
            "decode_document: document too short: tokens are 1, BOS and EOS "
            "are 2");
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_document(Ids{5, 1});
            }),
            "decode_document: expected BOS: 5 at position 0");
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_document(Ids{0, 5, 6});
            }),
            "decode_document: expected EOS: 6 at position 2");
}

TEST(BytePairTokenizer, RejectsAControlInsideADocument) {
  const BytePairTokenizer tokenizer;
  EXPECT_EQ(message_of([&] {
              tokenizer.decode_document(Ids{0, 5, 1, 6, 1});
            }),
            "decode_document: interior control token: 1 at position 2");
}

// Each merge doubles the one before: the last would be 2^65 bytes long.
TEST(BytePairTokenizer, RejectsContentThatNoStringCanHold) {
  Merges merges{{99, 99}};
  for (TokenId last = 258; last < 258 + 64; ++last) {
    merges.push_back({last, last});
  }
  const BytePairTokenizer tokenizer(merges);
  EXPECT_EQ(message_of([&] { tokenizer.decode_bytes(Ids{258 + 64}); }),
            "decode_bytes: content too long: no string can hold it");
}

TEST(BytePairTokenizer, DecodesATokenThatIsAThousandMergesDeep) {
  Merges merges{{99, 100}};
  std::string expected = "ab";
  for (TokenId last = 258; last < 258 + 999; ++last) {
    merges.push_back({last, 100});
    expected += 'b';
  }
  const BytePairTokenizer tokenizer(merges);
  EXPECT_EQ(tokenizer.decode_text(Ids{258 + 999}), expected);
  EXPECT_EQ(tokenizer.encode_text(expected), (Ids{258 + 999}));
}

TEST(BytePairTokenizer, SharesItsTablesWithItsCopies) {
  const Merges merges{{99, 100}};
  BytePairTokenizer copy;
  {
    const BytePairTokenizer original(merges);
    copy = original;
  }
  EXPECT_EQ(copy.encode_text("ab"), (Ids{258}));
}

}  // namespace
}  // namespace tandem
