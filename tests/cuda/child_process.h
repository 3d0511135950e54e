// Runs something in a child process and brings back what it had to say, so that
// libraries opened there and environments changed there stay there.
#pragma once

#include <functional>
#include <string>

namespace tandem {

/// The text that `body` returns, or "exit N" / "signal N" where the child ended
/// otherwise. With `run_exit_handlers` the child ends as main() would.
std::string in_child(const std::function<std::string()>& body,
                     bool run_exit_handlers = false);

}  // namespace tandem
