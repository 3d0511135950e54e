#!/usr/bin/env bash
# <tandem/tandem.h> brings in every public header.
#   umbrella.sh ROOT
set -euo pipefail
cd "$1/include"

declare -A seen=([tandem/tandem.h]=1)
queue=(tandem/tandem.h)
while ((${#queue[@]} > 0)); do
  header=${queue[0]}
  queue=("${queue[@]:1}")
  while read -r included; do
    [[ -n ${seen[$included]:-} ]] && continue
    seen[$included]=1
    queue+=("$included")
  done < <(sed -nE 's/^#include <(tandem\/[^>]+)>.*/\1/p' "$header")
done

status=0
while read -r header; do
  [[ -n ${seen[$header]:-} ]] && continue
  echo "tandem/tandem.h does not bring in $header"
  status=1
done < <(find tandem -name '*.h')
exit $status
