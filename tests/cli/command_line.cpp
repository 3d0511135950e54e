#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tandem::test {

ProcessResult tandem_command(const std::vector<std::string>& arguments,
                             ProcessOptions options) {
  for (const char* name :
       {"TANDEM_CUDA_LIBRARY_DIR", "CUBLAS_EMULATE_DOUBLE_PRECISION"}) {
    options.environment.emplace(name, "");
  }
  return run_process(TANDEM_COMMAND, arguments, options);
}

nlohmann::json document_of(const ProcessResult& result) {
  auto document = nlohmann::json::parse(result.out, nullptr, false);
  if (document.is_discarded()) {
    ADD_FAILURE() << "no document; stdout: " << result.out
                  << "\nstderr: " << result.err;
    return nullptr;
  }
  return document;
}

std::vector<double> values_of(const nlohmann::json& tensor) {
  std::vector<double> values;
  for (const auto& value : tensor.at("values")) {
    values.push_back(
        value.is_string()
            ? std::strtod(value.get<std::string>().c_str(), nullptr)
            : value.get<double>());
  }
  return values;
}

}  // namespace tandem::test
