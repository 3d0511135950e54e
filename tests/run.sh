#!/usr/bin/env bash
# Builds the project and runs every test, on a fresh machine too.
#   tests/run.sh [ctest arguments, such as -L unit]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

source cmake/require.sh
require_build_tools
require_command readelf binutils
require_command pkg-config pkg-config
require_command python3 python3
require_header gtest/gtest.h libgtest-dev
require_command node nodejs
require_command npm npm
require_command chromium chromium
install_missing_packages

cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
cmake --preset release -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
cmake --build --preset release --parallel "$cores"
tests/browser/install.sh build/release/tests/browser
ctest --preset release --parallel "$cores" "$@"
