// The built command, run with arguments.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.h"

namespace tandem::test {

/// Runs it with no CUDA folder and no emulation from the environment, unless
/// `options` sets them.
ProcessResult tandem_command(const std::vector<std::string>& arguments,
                             ProcessOptions options = {});

/// The document on stdout. Fails the test and gives null where there is none.
nlohmann::json document_of(const ProcessResult& result);

/// Its "values", for a JSON tensor; the strings of numbers that JSON lacks are
/// read too.
std::vector<double> values_of(const nlohmann::json& tensor);

}  // namespace tandem::test
