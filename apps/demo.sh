#!/usr/bin/env bash
# Builds the tandem command and runs `tandem demo`: one JSON document on stdout,
# everything else on stderr.
#   apps/demo.sh [arguments of tandem demo, such as --device cuda]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

source "$root/cmake/require.sh"
require_build_tools
install_missing_packages

# A build says nothing unless it fails.
quietly() {
  local said
  said=$("$@" 2>&1) || { printf '%s\n' "$said" >&2; exit 1; }
}
build=$root/build/demo
quietly cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DTANDEM_BUILD_TESTS=OFF \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)"
quietly cmake --build "$build" --target tandem_cli
exec "$build/bin/tandem" demo "$@"
