// Options that take a number, and nothing but a number that makes sense.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tandem::cli {

/// Decimal digits only; no sign, and nothing beyond what the type holds.
CLI::Option* add_whole_number(CLI::App& app, const std::string& name,
                              std::uint64_t& value, const std::string& help);

/// A finite number, not negative, rounded once and read by no locale.
CLI::Option* add_tolerance(CLI::App& app, const std::string& name,
                           double& value, const std::string& help);

}  // namespace tandem::cli
