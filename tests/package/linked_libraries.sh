#!/usr/bin/env bash
# What is installed under PREFIX starts where there is no GPU software: neither
# the library nor the command names a CUDA library, and the library has a
# soname that changes with the minor version.
#   linked_libraries.sh PREFIX
set -euo pipefail

status=0
mapfile -t files < <(find "$1" -name 'libtandem.so.*.*.*' -o -type f \
  -path '*/bin/*')
((${#files[@]} > 0)) || { echo "nothing is installed under $1"; exit 1; }
for file in "${files[@]}"; do
  needed=$(readelf -d "$file" | grep NEEDED)
  echo "$file"
  echo "$needed"
  if grep -i -E 'cuda|cublas|nvidia|nvrtc' <<<"$needed"; then
    echo "  names a CUDA library"
    status=1
  fi
done
library=$(find "$1" -name 'libtandem.so.*.*.*' | head -n 1)
soname=$(readelf -d "$library" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
if [[ ! $soname =~ ^libtandem\.so\.[0-9]+\.[0-9]+$ ]]; then
  echo "the soname is $soname"
  status=1
fi
readelf -d "$library" | grep -q NODELETE ||
  { echo "the library can be unloaded"; status=1; }
exit $status
