#!/usr/bin/env bash
# Line coverage of the layers that everything stands on, each of which must
# reach 95 %. It needs GCC and gcovr.
#   tests/coverage.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

source cmake/require.sh
require_build_tools
require_command gcovr gcovr
require_header gtest/gtest.h libgtest-dev
install_missing_packages

cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
build=build/coverage
cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=g++ \
  -DCMAKE_BUILD_TYPE=Debug -DTANDEM_BUILD_APPS=OFF \
  -DCMAKE_CXX_FLAGS="--coverage -O0 -fno-inline -fprofile-update=atomic" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
cmake --build "$build" --parallel "$cores"
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" --parallel "$cores" --no-tests=error --quiet \
  -LE '^(package|lint|gpu)$' || { echo "tests fail in $build" >&2; exit 1; }

status=0
for layer in tensor execution autograd; do
  gcovr --root . --object-directory "$build" \
    --filter "src/$layer/" --filter "include/tandem/$layer/" \
    --exclude-throw-branches --fail-under-line 95 || status=1
done
exit $status
