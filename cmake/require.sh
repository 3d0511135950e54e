# Sourced by the two scripts a newcomer runs: makes sure that what a build
# needs is there. Silent where nothing is missing; everything goes to stderr.

missing_packages=()

# require_command COMMAND PACKAGE
require_command() {
  command -v "$1" >/dev/null 2>&1 || missing_packages+=("$2")
}

# require_header HEADER PACKAGE: asks the compiler, so it sees what the build
# will see.
require_header() {
  command -v "${CXX:-c++}" >/dev/null 2>&1 &&
    printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++20 -E -x c++ - \
      >/dev/null 2>&1 || missing_packages+=("$2")
}

require_build_tools() {
  require_command "${CXX:-c++}" g++
  require_command cmake cmake
  require_command ninja ninja-build
  require_header nlohmann/json.hpp nlohmann-json3-dev
  require_header pcre2.h libpcre2-dev
  require_header CLI/CLI.hpp libcli11-dev
}

# Installs what is missing with apt, or says what to install and ends.
install_missing_packages() {
  ((${#missing_packages[@]} > 0)) || return 0
  local -a as_root=()
  if [[ $(id -u) != 0 ]]; then as_root=(sudo); fi
  if ! command -v apt-get >/dev/null 2>&1 ||
    { ((${#as_root[@]} > 0)) && ! command -v sudo >/dev/null 2>&1; }; then
    {
      echo "These packages are missing (by their Debian names):"
      printf '  %s\n' "${missing_packages[@]}"
      echo "Install what your system calls them, and run this again."
    } >&2
    exit 1
  fi
  echo "Installing ${missing_packages[*]}" >&2
  {
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
      --no-install-recommends "${missing_packages[@]}"
  } >/dev/null  # what it does; what goes wrong is on stderr
  missing_packages=()
}
