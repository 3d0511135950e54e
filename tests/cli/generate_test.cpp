// Texts of a small random model: streamed, as a document, and what is refused.
#include <gtest/gtest.h>
#include <tandem/nn/generation.h>
#include <tandem/nn/model_directory.h>
#include <tandem/nn/safetensors.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/model_directory.h"

namespace tandem::test {
namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

class Generate : public testing::Test {
 protected:
  ProcessResult run(const Arguments& options,
                    const std::string& prompt = "abc") const {
    Arguments arguments{"generate", "--model", model_.directory(), "--prompt",
                        prompt};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return tandem_command(arguments);
  }

  json document(Arguments options) const {
    options.push_back("--json");
    const auto result = run(options);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return document_of(result);
  }

  nn::Continuation expected(const nn::GenerationOptions& options) const {
    return nn::generate(nn::open_model(model_.directory()).decoder, {{0, 1, 2}},
                        options)
        .front();
  }

  SmallModel model_;
};

TEST_F(Generate, PrintsOneDocumentWithWhatTheLibraryGives) {
  nn::GenerationOptions options;
  options.tokens = 7;
  options.sampling.temperature = 1.5;
  options.sampling.top_k = 6;
  options.sampling.top_p = 0.9;
  options.sampling.repetition_penalty = 1.25;
  options.seed = 21;
  const json made = document(
      {"--tokens", "7", "--temperature", "1.5", "--top-k", "6", "--top-p",
       "0.9", "--repetition-penalty", "1.25", "--seed", "21", "--ignore-end"});
  const auto text = expected(options);
  EXPECT_EQ(made.at("schema"), "tandem.generate/1");
  EXPECT_EQ(made.at("prompt").at("ids"), json({0, 1, 2}));
  ASSERT_EQ(made.at("ids").size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(made.at("ids")[i], text.tokens[i].id);
    EXPECT_EQ(made.at("logprobs")[i], text.tokens[i].log_probability);
  }
  EXPECT_EQ(made.at("options").at("seed"), 21);
  EXPECT_EQ(made.at("stopped"), false);
  EXPECT_EQ(made.at("model").at("config").at("tied_head"), true);
}

TEST_F(Generate, StreamsTheTextOfTheDocument) {
  const Arguments options{"--tokens", "9", "--temperature", "2", "--seed", "3"};
  const auto streamed = run(options);
  EXPECT_EQ(streamed.code, 0);
  EXPECT_EQ(streamed.err, "");
  EXPECT_EQ(streamed.out,
            document(options).at("text").get<std::string>() + "\n");
}

TEST_F(Generate, WritesAsMuchAsTheModelHasPositionsFor) {
  EXPECT_EQ(document({"--ignore-end"}).at("ids").size(), 13u);
}

TEST_F(Generate, StopsAtTheTokensThatAreGiven) {
  const json whole = document({"--ignore-end"});
  const std::string last = whole.at("text").get<std::string>().substr(0, 1);
  for (const std::string& stop : {last, std::string("<end>")}) {
    const json made =
        document({"--ignore-end", "--stop", "<end>", "--stop", stop});
    EXPECT_EQ(made.at("options").at("stop").size(), 2u);
    EXPECT_EQ(made.at("options").at("stop")[0], 8);
    EXPECT_EQ(made.at("stopped"), stop == last);
  }
}

TEST_F(Generate, StopsAtTheModelsEndUnlessToldToGoOn) {
  EXPECT_EQ(document({}).at("options").at("stop"), json({8}));
  EXPECT_EQ(document({"--ignore-end"}).at("options").at("stop"), json::array());
}

#if defined(FAKE_CUDA_ROOT)
TEST_F(Generate, WritesTheSameTextOnADevice) {
  const json made = document(
      {"--device", "cuda", "--cuda-library-dir", FAKE_CUDA_ROOT "/13"});
  EXPECT_EQ(made.at("execution").at("device"), "cuda:0");
  EXPECT_GT(made.at("stats").at("gemm_requests"), 0);
  EXPECT_EQ(made.at("ids"), document({}).at("ids"));
}
#endif

TEST_F(Generate, WritesTheDocumentToAFile) {
  const std::string file = model_.put("out.json", "");
  const auto result = run({"--json", "--output", file});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(json::parse(testing_support::content_of(file)).at("schema"),
            "tandem.generate/1");
}

struct Refusal {
  Arguments options;
  std::string prompt;
  int code;
  std::string message;
};

TEST_F(Generate, SaysWhatItRefuses) {
  for (const auto& [options, prompt, code, message] : std::vector<Refusal>{
           {{"--top-k", "3"},
            "abc",
            2,
            "--top-k: has no effect without --temperature"},
           {{"--seed", "3"},
            "abc",
            2,
            "--seed: has no effect without --temperature"},
           {{"--output", "x"},
            "abc",
            2,
            "--output: has no effect without --json"},
           {{"--temperature", "1", "--top-p", "1.5"},
            "abc",
            2,
            "sampling: top_p must be above 0 and at most 1: 1.500000"},
           {{"--tokens", "14"},
            "abc",
            2,
            "generate: more tokens than positions: prompt has 3, new are 14, "
            "positions are 16"},
           {{"--stop", "ab"},
            "abc",
            2,
            "--stop: is not one token of the model: it is 2: ab"},
           {{}, "", 2, "--prompt: has no tokens"}}) {
    const auto result = run(options, prompt);
    EXPECT_EQ(result.code, code) << message;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "tandem: " + message + "\n");
  }
}

// The weights are only read once they are used.
TEST_F(Generate, BlamesTheFileForAWeightThatIsNotFinite) {
  const std::string file = model_.directory() + "/model.safetensors";
  const auto weights = Safetensors::open(file);
  std::vector<StoredTensor> tensors;
  for (const std::string& name : weights.names()) {
    tensors.push_back({name, weights.tensor(name)});
  }
  const std::vector<double> spoiled(tensors[0].tensor.size(), HUGE_VAL);
  tensors[0].tensor = Tensor(tensors[0].tensor.shape(), spoiled);
  write_safetensors(file, tensors);
  const auto result = run({});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "tandem: model: " + tensors[0].name +
                            " is not finite: element 0 is inf, in " + file +
                            "\n");
}

// Tables are often padded: the letters c to h and the end have no token here.
TEST_F(Generate, PassesOverTokensThatHaveNoText) {
  const json whole = document({"--tokens", "12", "--ignore-end"});
  model_.put("tokenizer.json", R"({
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "merges": [], "vocab": {"a": 0, "b": 1, "c": 2}}})");
  const json padded = document({"--tokens", "12", "--ignore-end"});
  EXPECT_EQ(padded.at("ids"), whole.at("ids"));
  std::string known;
  for (const char letter : whole.at("text").get<std::string>()) {
    if (letter <= 'c') known += letter;
  }
  EXPECT_NE(known, whole.at("text"));
  EXPECT_EQ(padded.at("text"), known);
  EXPECT_EQ(run({"--tokens", "12", "--ignore-end"}).out, known + "\n");
}

TEST_F(Generate, BlamesTheTokenizerForATokenThatTheModelLacks) {
  model_.put("tokenizer.json", R"({
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "merges": [], "vocab": {"a": 0, "b": 1, "c": 9}}})");
  const auto result = run({});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.err,
            "tandem: model: the tokenizer's token 9 is none of the model's "
            "9\n");
}

TEST_F(Generate, BlamesWeightsThatMakeAValueOverflow) {
  nn::Decoder decoder = nn::open_model(model_.directory()).decoder;
  autograd::Parameter table = decoder.parameters().at("token_embedding.weight");
  table.update(Tensor::full(table.shape(), 1e200));
  nn::save_model(model_.directory(), decoder);
  const auto result = run({});
  EXPECT_EQ(result.code, 4);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "tandem: rms_norm: mean square is not finite: element 0 is inf, "
            "with the weights in " +
                model_.directory() + "\n");
}

TEST_F(Generate, BlamesTheDirectoryForWhatItLacks) {
  const auto nowhere =
      tandem_command({"generate", "--model", "/nowhere", "--prompt", "a"});
  EXPECT_EQ(nowhere.code, 4);
  EXPECT_EQ(nowhere.err,
            "tandem: config: cannot read: No such file or directory, in "
            "/nowhere/config.json\n");
  const std::string config =
      model_.put("config.json", R"({"architectures": ["OtherForCausalLM"]})");
  const auto other = run({});
  EXPECT_EQ(other.code, 4);
  EXPECT_EQ(other.out, "");
  EXPECT_EQ(other.err,
            "tandem: config: unsupported: 'architectures' is "
            "[\"OtherForCausalLM\"], in " +
                config + "\n");
}

}  // namespace
}  // namespace tandem::test
