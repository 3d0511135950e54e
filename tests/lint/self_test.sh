#!/usr/bin/env bash
# The checks of this folder pass a good tree and fail on each kind of bad line.
#   self_test.sh SCRATCH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$1

fresh_tree() {
  rm -rf "$tree"
  mkdir -p "$tree/include/tandem/tensor" "$tree/src/tensor" "$tree/src/autograd"
  printf '#pragma once\n#include <vector>\n' >"$tree/include/tandem/tensor/a.h"
  printf '#pragma once\n#include <tandem/tensor/a.h>\n' \
    >"$tree/include/tandem/tandem.h"
  printf '#include <tandem/tensor/a.h>\n' >"$tree/src/tensor/a.cpp"
  printf '#include "tensor/storage.h"\n' >"$tree/src/autograd/b.cpp"
  touch "$tree/src/tensor/storage.h" "$tree/src/autograd/node.h"
}

# finds CHECK FILE LINE: adding LINE to FILE of a good tree makes CHECK fail.
finds() {
  fresh_tree
  bash "$here/$1.sh" "$tree" >/dev/null ||
    { echo "$1 fails on a good tree"; exit 1; }
  printf '%s\n' "$3" >>"$tree/$2"
  if bash "$here/$1.sh" "$tree" >/dev/null; then
    echo "$1 does not find '$3' in $2"
    exit 1
  fi
}

finds layers src/tensor/a.cpp '#include "autograd/node.h"'
finds layers src/tensor/a.cpp '#include <tandem/nn/decoder.h>'
finds layers src/tensor/a.cpp '#include <tandem/elsewhere/c.h>'
finds public_includes include/tandem/tensor/a.h '#include <nlohmann/json.hpp>'
finds public_includes include/tandem/tensor/a.h '#include "tensor/storage.h"'
finds public_includes include/tandem/tensor/a.h '#include <dlfcn.h>'
finds umbrella include/tandem/tensor/b.h '#pragma once'
finds words src/tensor/a.cpp "// TO""DO"
finds words src/tensor/a.cpp "// see /ho""me/someone/notes"
finds words src/tensor/a.cpp "// as in iss""ue #12"
rm -rf "$tree"
