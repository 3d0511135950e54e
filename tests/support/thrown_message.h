// What a call throws, as text, so that a test compares the whole message.
#pragma once

#include <exception>
#include <string>
#include <typeinfo>

namespace tandem::test {

/// The message of the exception that `call` throws, if its type is exactly
/// Expected; else a text in parentheses that says what happened.
template <class Expected, class Call>
std::string thrown_by(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    if (typeid(error) == typeid(Expected)) return error.what();
    return std::string("(another type: ") + typeid(error).name() + ": " +
           error.what() + ")";
  }
  return "(nothing was thrown)";
}

}  // namespace tandem::test
