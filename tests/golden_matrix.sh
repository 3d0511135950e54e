#!/usr/bin/env bash
# The golden bits with every compiler and level of optimisation that matters:
# GCC and Clang, each -O0, -O2 and -O3 -march=native.
#   tests/golden_matrix.sh [compiler ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compilers=("$@")
((${#compilers[@]} > 0)) || compilers=(g++ clang++)
cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)

# One build in a folder of its own, kept for the next run.
try() {
  local compiler=$1 flags=$2
  local build=build/golden-${compiler##*/}${flags// /}
  cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE= -DTANDEM_BUILD_APPS=OFF \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" &&
    cmake --build "$build" --parallel "$cores" --target tandem_golden_tests &&
    ctest --test-dir "$build" -L '^golden$' --no-tests=error \
      --output-on-failure
}

status=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for compiler in "${compilers[@]}"; do
  for flags in -O0 -O2 '-O3 -march=native'; do
    if try "$compiler" "$flags" >"$log" 2>&1; then
      verdict=$(grep 'tests passed' "$log")
    else
      verdict=FAILED
      status=1
      tail -n 40 "$log" >&2
    fi
    printf '%-10s %-18s %s\n' "${compiler##*/}" "$flags" "$verdict"
  done
done
exit $status
