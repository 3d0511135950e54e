#!/usr/bin/env bash
# A file includes its own layer and lower ones only.
#   layers.sh ROOT
set -euo pipefail
cd "$1"

declare -A layer=(
  [tensor]=0 [ops]=1 [execution]=2 [cpu]=2 [cuda]=2 [autograd]=3
  [text]=4 [nn]=4 [compare]=5 [train]=5 [apps]=6
  # Not folders: the two headers below everything, and the one above.
  [export.h]=0 [version.h]=0 [version.cpp]=0 [tandem.h]=5
)

# Sets `part` to the folder, or file, under include/tandem, src or the top.
find_part() {
  part=${1#include/}
  part=${part#tandem/}
  part=${part#src/}
  part=${part%%/*}
}

status=0
checked=0
pattern='#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"]'
while IFS=: read -r file line text; do
  [[ $text =~ $pattern ]] || continue
  included=${BASH_REMATCH[1]}
  # Standard headers have no folder; neighbours of one folder need none.
  case $included in
    tandem/*) ;;
    */*) [[ -e src/$included || -e $included ]] || continue ;;
    *) continue ;;
  esac
  find_part "$file" && from=$part
  find_part "$included" && to=$part
  if [[ -z ${layer[$from]:-} || -z ${layer[$to]:-} ]]; then
    echo "$file:$line: no layer is known for $from or $to"
    status=1
  elif ((layer[$to] > layer[$from])); then
    echo "$file:$line: $from (layer ${layer[$from]}) includes $included" \
      "(layer ${layer[$to]})"
    status=1
  fi
  checked=$((checked + 1))
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' \
  --include='*.h' --include='*.cpp' --include='*.inc' \
  include src cuda apps 2>/dev/null)

((checked > 0)) || { echo "no include was found under $1"; exit 1; }
echo "$checked includes checked"
exit $status
