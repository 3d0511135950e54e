// Runs a fuzz target once on each file of a folder, with any compiler.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

int main(int argument_count, char** arguments) {
  if (argument_count != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    std::printf("%s\n", entry.path().c_str());
    LLVMFuzzerTestOneInput(
        reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
    ++files;
  }
  return files > 0 ? 0 : 1;
}
