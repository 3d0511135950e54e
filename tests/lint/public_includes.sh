#!/usr/bin/env bash
# A public header includes public headers and the C++ standard library, so that
# nothing else has to be installed to use it.
#   public_includes.sh ROOT
set -euo pipefail
cd "$1"

includes=$(grep -rnE '^[[:space:]]*#[[:space:]]*include' include || true)
[[ -n $includes ]] || { echo "no include was found under $1"; exit 1; }
if foreign=$(grep -vE '#[[:space:]]*include <(tandem/[a-z0-9_/]+\.h|[a-z_]+)>' \
  <<<"$includes"); then
  printf 'neither public nor standard:\n%s\n' "$foreign"
  exit 1
fi
missing=$(grep -rLE '^#pragma once' include || true)
[[ -z $missing ]] || { printf 'no include guard:\n%s\n' "$missing"; exit 1; }
