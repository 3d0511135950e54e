#!/usr/bin/env bash
# Every source is as clang-format lays it out. Other versions lay out a few
# lines differently, so only the one the project uses is asked.
#   format.sh ROOT
set -euo pipefail
cd "$1"

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $tool ]]; then
  echo "clang-format is not installed"
  exit 77
fi
if ! "$tool" --version | grep -q 'version 14\.'; then
  echo "not version 14: $("$tool" --version)"
  exit 77
fi
mapfile -t files < <(find include src cuda apps tests \
  \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null)
"$tool" --dry-run -Werror "${files[@]}"
