#include "number_options.h"

#include <CLI/Error.hpp>
#include <charconv>
#include <cmath>
#include <limits>

#include "json.h"

namespace tandem::cli {
namespace {

template <typename Number>
bool read_all(const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& value,
                        const std::string& help, const std::string& what,
                        bool (*makes_sense)(Number)) {
  const auto read = [name, what, makes_sense, &value](const std::string& text) {
    Number given{};
    if (!read_all(text, given) || !makes_sense(given)) {
      throw CLI::ValidationError(name, "must be " + what + ": " + text);
    }
    value = given;
  };
  return app.add_option_function<std::string>(name, read, help)
      ->default_str(Json(value).dump());
}

}  // namespace

CLI::Option* add_whole_number(CLI::App& app, const std::string& name,
                              std::uint64_t& value, const std::string& help) {
  const auto any = [](std::uint64_t) { return true; };
  const auto largest = std::numeric_limits<std::uint64_t>::max();
  return add_number<std::uint64_t>(
             app, name, value, help,
             "a whole number from 0 to " + std::to_string(largest), any)
      ->type_name("N");
}

CLI::Option* add_tolerance(CLI::App& app, const std::string& name,
                           double& value, const std::string& help) {
  const auto valid = [](double given) {
    return std::isfinite(given) && !std::signbit(given);
  };
  return add_number<double>(app, name, value, help,
                            "a finite number and not negative", valid)
      ->type_name("X");
}

}  // namespace tandem::cli
