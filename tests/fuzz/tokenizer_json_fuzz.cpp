// Any bytes as a tokenizer.json: either an Error, or a tokenizer that works.
#include <tandem/tensor/error.h>
#include <tandem/text/tokenizer.h>

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  try {
    const auto tokenizer = tandem::Tokenizer::from_json(json, "input");
    const auto tokens =
        tokenizer.encode("Hello  wor\xc3\xa9 12 \xe2\x96\x81 <s> it's\n\n");
    tokenizer.decode(tokens);
  } catch (const tandem::Error&) {  // what a malformed file is answered with
  }
  return 0;
}
