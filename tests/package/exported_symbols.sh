#!/usr/bin/env bash
# The shared library under PREFIX exports namespace tandem and nothing else.
#   exported_symbols.sh PREFIX
set -euo pipefail

library=$(find "$1" -name 'libtandem.so' | head -n 1)
[[ -n $library ]] || { echo "no libtandem.so under $1"; exit 1; }

exported=$(nm -D --defined-only "$library" | awk '{ print $3 }')
count=$(grep -c '^_ZN\(K\|KR\)\?6tandem' <<<"$exported" || true)
# An error type has to be the same on both sides of the boundary.
grep -q '^_ZTIN6tandem10ShapeErrorE$' <<<"$exported" ||
  { echo "the type information of ShapeError is not exported"; exit 1; }
((count > 50)) || { echo "only $count functions are exported"; exit 1; }

foreign=$(grep -v -E '^_Z(N|NK|NKR|TIN|TSN|TVN|TINK|TSNK)6tandem' <<<"$exported" |
  c++filt || true)
if [[ -n $foreign ]]; then
  printf 'exported by %s, and not of tandem:\n%s\n' "$library" "$foreign"
  exit 1
fi
echo "$count functions, nothing foreign"
