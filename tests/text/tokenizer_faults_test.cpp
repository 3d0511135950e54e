// A tokenizer.json that is malformed, or asks for what is not supported: each
// is refused by a message that names it.
#include <gtest/gtest.h>
#include <tandem/tensor/error.h>
#include <tandem/text/tokenizer.h>

#include <functional>
#include <string>

#include "text/small_tokenizers.h"

namespace tandem {
namespace {

using testing_support::byte_level_document;
using testing_support::fallback_document;
using testing_support::Json;

template <class ExpectedError>
std::string fault_of(const std::string& json) {
  try {
    Tokenizer::from_json(json, "test");
  } catch (const ExpectedError& error) {
    return error.what();
  } catch (const Error& error) {
    return std::string("another type of error: ") + error.what();
  }
  return "no error";
}

struct Fault {
  const char* label;
  std::function<void(Json&)> change;
  std::string message;  // without "tokenizer: " and the source
  Json (*document)(const testing_support::PairsOfSpellings&) =
      byte_level_document;
};

void PrintTo(const Fault& fault, std::ostream* stream) {
  *stream << fault.label;
}

class UnsupportedTokenizer : public testing::TestWithParam<Fault> {};
class MalformedTokenizer : public testing::TestWithParam<Fault> {};

std::string changed(const Fault& fault) {
  Json document = fault.document({{"a", "b"}});
  fault.change(document);
  return document.dump();
}

TEST_P(UnsupportedTokenizer, IsRefusedByName) {
  EXPECT_EQ(fault_of<TokenizerError>(changed(GetParam())),
            "tokenizer: " + GetParam().message + ", in test");
}

TEST_P(MalformedTokenizer, IsRefusedByName) {
  EXPECT_EQ(fault_of<FileError>(changed(GetParam())),
            "tokenizer: malformed: " + GetParam().message + ", in test");
}

const Fault unsupported[] = {
    {"Truncation",
     [](Json& d) {
       d["truncation"] = {{"max_length", 4}};
     },
     "unsupported option of tokenizer: truncation"},
    {"Padding",
     [](Json& d) {
       d["padding"] = {{"pad_id", 0}};
     },
     "unsupported option of tokenizer: padding"},
    {"AnotherModel", [](Json& d) { d["model"]["type"] = "Unigram"; },
     "unsupported model type: \"Unigram\""},
    {"Dropout", [](Json& d) { d["model"]["dropout"] = 0.1; },
     "unsupported option of model: dropout"},
    {"APrefixOfSubwords",
     [](Json& d) { d["model"]["continuing_subword_prefix"] = "##"; },
     "unsupported option of model: continuing_subword_prefix"},
    {"ASuffixOfWords",
     [](Json& d) { d["model"]["end_of_word_suffix"] = "</w>"; },
     "unsupported option of model: end_of_word_suffix"},
    {"AnotherNormalizer",
     [](Json& d) {
       d["normalizer"] = {{"type", "NFC"}};
     },
     "unsupported normalizer NFC"},
    {"ANormalizerByAPattern",
     [](Json& d) {
       d["normalizer"] = {{"type", "Replace"},
                          {"pattern", {{"Regex", "a+"}}},
                          {"content", "b"}};
     },
     "unsupported normalizer Replace by a pattern: {\"Regex\":\"a+\"}"},
    {"ANormalizerOfNothing",
     [](Json& d) {
       d["normalizer"] = {{"type", "Replace"},
                          {"pattern", {{"String", ""}}},
                          {"content", "b"}};
     },
     "unsupported normalizer Replace of an empty string"},
    {"AnotherPreTokenizer",
     [](Json& d) {
       d["pre_tokenizer"] = {{"type", "Whitespace"}};
     },
     "unsupported pre_tokenizer Whitespace"},
    {"APreTokenizerAfterByteLevel",
     [](Json& d) {
       const Json byte_level = d["pre_tokenizer"];
       d["pre_tokenizer"] = {
           {"type", "Sequence"},
           {"pretokenizers", Json::array({byte_level, {{"type", "Digits"}}})}};
     },
     "unsupported pre_tokenizer after ByteLevel: Digits"},
    {"AnInvertedSplit",
     [](Json& d) {
       d["pre_tokenizer"] = {{"type", "Split"}, {"invert", true}};
     },
     "unsupported option of Split: invert"},
    {"AnotherBehaviorOfSplit",
     [](Json& d) {
       d["pre_tokenizer"] = {{"type", "Split"},
                             {"pattern", {{"Regex", "a"}}},
                             {"behavior", "MergedWithNext"}};
     },
     "unsupported behavior of Split: MergedWithNext"},
    {"ASplitThatDoesNotCompile",
     [](Json& d) {
       d["pre_tokenizer"] = {{"type", "Split"},
                             {"pattern", {{"Regex", "a("}}},
                             {"behavior", "Isolated"}};
     },
     "pattern does not compile: missing closing parenthesis at byte 2 of "
     "'a('"},
    {"NeitherBytesNorFallback", [](Json& d) { d["pre_tokenizer"] = nullptr; },
     "unsupported model: neither byte-level nor with byte fallback"},
    {"AnotherPostProcessor",
     [](Json& d) {
       d["post_processor"] = {{"type", "BertProcessing"}};
     },
     "unsupported post_processor BertProcessing"},
    {"ATemplateWithoutText",
     [](Json& d) { d["post_processor"]["single"].erase(1); },
     "unsupported template: it holds the text 0 times", fallback_document},
    {"TwoTemplates",
     [](Json& d) {
       const Json once = d["post_processor"];
       d["post_processor"] = {{"type", "Sequence"},
                              {"processors", Json::array({once, once})}};
     },
     "unsupported second template", fallback_document},
    {"NoDecoder", [](Json& d) { d["decoder"] = nullptr; },
     "unsupported decoder: none"},
    {"AnotherDecoder",
     [](Json& d) {
       d["decoder"] = {{"type", "CTC"}};
     },
     "unsupported decoder CTC"},
    {"ADecoderOutOfPlace", [](Json& d) { d["decoder"]["decoders"].erase(2); },
     "unsupported decoder, or place of it: Strip", fallback_document},
    {"ADecoderThatStripsLetters",
     [](Json& d) { d["decoder"]["decoders"][3]["content"] = "a"; },
     "unsupported decoder Strip of anything but leading spaces",
     fallback_document},
    {"ADecoderThatPutsLetters",
     [](Json& d) { d["decoder"]["decoders"][0]["content"] = "a"; },
     "unsupported decoder Replace by anything but a space", fallback_document},
    {"AnAddedTokenThatStrips",
     [](Json& d) { d["added_tokens"][0]["lstrip"] = true; },
     "unsupported option of added token '<end>': lstrip"},
    {"AnUnknownMergeOperand",
     [](Json& d) {
       d["model"]["merges"][0] = {"a", "zz"};
     },
     "unknown merge operand: 'zz' of rank 0"},
    {"AnUnknownMergeProduct",
     [](Json& d) {
       d["model"]["merges"][0] = {"a", "c"};
     },
     "unknown merge product: 'ac' of rank 0"},
    {"AMergeTwice",
     [](Json& d) {
       d["model"]["merges"].push_back({"a", "b"});
     },
     "duplicate merge pair: 'a' and 'b' at ranks 0 and 1"},
    {"AFallbackThatLacksAByte",
     [](Json& d) { d["model"]["vocab"].erase("<0x41>"); },
     "byte fallback lacks a token: '<0x41>'", fallback_document},
    {"AMergeOfAFallbackToken",
     [](Json& d) {
       testing_support::add_merges(d, {{"<0x41>", "a"}});
     },
     "unsupported merge of a fallback token: '<0x41>' of rank 1",
     fallback_document},
};

const Fault malformed[] = {
    {"NoModel", [](Json& d) { d.erase("model"); },
     "'model' of tokenizer is not there"},
    {"AModelThatIsAList", [](Json& d) { d["model"] = Json::array(); },
     "'vocab' of model is not there"},
    {"NoVocabulary", [](Json& d) { d["model"].erase("vocab"); },
     "'vocab' of model is not there"},
    {"AVocabularyThatIsAList",
     [](Json& d) { d["model"]["vocab"] = Json::array(); },
     "'vocab' of model is not a map"},
    {"ANegativeId", [](Json& d) { d["model"]["vocab"]["a"] = -1; },
     "id of 'a' is -1, the largest is 16777215"},
    {"AHugeId", [](Json& d) { d["model"]["vocab"]["a"] = 16777216; },
     "id of 'a' is 16777216, the largest is 16777215"},
    {"TwoTokensOfOneId",
     [](Json& d) {
       d["model"]["vocab"] = {{"a", 7}, {"b", 7}, {"ab", 8}};
     },
     "two tokens have the id 7"},
    {"OneTokenOfTwoIds", [](Json& d) { d["added_tokens"][0]["id"] = 9; },
     "'<end>' has two ids: 0 and 9"},
    {"NoMerges", [](Json& d) { d["model"].erase("merges"); },
     "'merges' of model is not there"},
    {"MergesThatAreNoList", [](Json& d) { d["model"]["merges"] = 1; },
     "'merges' of model is not a list"},
    {"AMergeOfOne", [](Json& d) { d["model"]["merges"][0] = {"a"}; },
     "merge is not a pair: [\"a\"]"},
    {"AMergeOfThree", [](Json& d) { d["model"]["merges"][0] = "a b c"; },
     "merge is not a pair: \"a b c\""},
    {"AFlagThatIsANumber",
     [](Json& d) { d["pre_tokenizer"]["add_prefix_space"] = 1; },
     "'add_prefix_space' of pre_tokenizer ByteLevel is not true or false"},
    {"AComponentWithoutAType", [](Json& d) { d["decoder"] = Json::object(); },
     "'type' of decoder is not there"},
    {"AComponentThatIsAString", [](Json& d) { d["normalizer"] = "NFC"; },
     "'type' of normalizer is not there"},
    {"ATypeThatIsANumber", [](Json& d) { d["decoder"]["type"] = 1; },
     "'type' of decoder is not a string"},
    {"AnAddedTokenWithoutContent",
     [](Json& d) { d["added_tokens"][0]["content"] = ""; },
     "added token without content"},
    {"AnAddedTokenWithoutAnId",
     [](Json& d) { d["added_tokens"][0].erase("id"); },
     "'id' of added token is not there"},
    {"ATemplateWithoutItsToken",
     [](Json& d) { d["post_processor"]["special_tokens"].erase("<s>"); },
     "'<s>' of post_processor TemplateProcessing is not there",
     fallback_document},
    {"ATemplateOfAnIdWithoutAToken",
     [](Json& d) {
       d["post_processor"]["special_tokens"]["<s>"]["ids"][0] = 9999;
     },
     "template uses an id without a token: 9999", fallback_document},
    {"ATemplateOfAnIdThatIsNone",
     [](Json& d) {
       d["post_processor"]["special_tokens"]["<s>"]["ids"][0] = "1";
     },
     "an id of post_processor TemplateProcessing is not a whole number",
     fallback_document},
    {"AStripOfHalfASpace",
     [](Json& d) { d["decoder"]["decoders"][3]["start"] = 0.5; },
     "'start' of decoder Strip is not a whole number", fallback_document},
};

const auto label = [](const testing::TestParamInfo<Fault>& info) {
  return std::string(info.param.label);
};
INSTANTIATE_TEST_SUITE_P(Tokenizer, UnsupportedTokenizer,
                         testing::ValuesIn(unsupported), label);
INSTANTIATE_TEST_SUITE_P(Tokenizer, MalformedTokenizer,
                         testing::ValuesIn(malformed), label);

TEST(TokenizerJson, IsRefusedWhenItIsNotStrictJson) {
  EXPECT_EQ(fault_of<FileError>("{"),
            "tokenizer: not JSON: fault at byte 2, in test");
  EXPECT_EQ(fault_of<FileError>(R"({"model":1,"model":2})"),
            "tokenizer: duplicate key: 'model', in test");
  EXPECT_EQ(fault_of<FileError>("[]"),
            "tokenizer: malformed: 'model' of tokenizer is not there, in test");
}

}  // namespace
}  // namespace tandem
